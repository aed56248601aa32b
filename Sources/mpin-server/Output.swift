import Foundation
import MPinServer

/// What a command says: text for people, or exactly one JSON object.
struct Output {
    /// The version of the objects' form.
    static let schema = 1

    let json: Bool
    /// A command line of this program for the same server.
    let line: (_ command: String) -> String

    /// - Parameter line: how a command is written that leads on; nothing but its name where the options are not known.
    init(json: Bool, line: @escaping (_ command: String) -> String = { "mpin-server " + $0 }) {
        (self.json, self.line) = (json, line)
    }

    /// Whether standard output is a terminal.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// How wide the terminal is; no limit where there is none.
    static var columns: Int {
        var size = winsize()
        guard isTerminal, unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return .max
        }
        return Int(size.ws_col)
    }

    /// Writes the answer.
    func succeed(_ text: String, _ members: [String: Any]) {
        guard json else {
            if !text.isEmpty { Self.print(text) }
            return
        }
        var object = members
        object["schema"] = Self.schema
        object["ok"] = true
        Self.print(Self.text(of: object))
    }

    /// Says what went wrong and ends the process.
    func fail(_ fault: ServerFault, exitCode: Int32? = nil) -> Never {
        let hint = Self.way(on: fault, line)
        if json {
            var error: [String: Any] = ["code": fault.code, "message": fault.message]
            if !hint.isEmpty { error["hint"] = hint }
            // The exit status stays that of the fault itself.
            _ = Self.write(Self.text(of: ["schema": Self.schema, "ok": false, "error": error]), to: STDOUT_FILENO)
        } else {
            Self.warn("\(fault.message)\(hint.isEmpty ? "" : "\n" + hint)")
        }
        exit(exitCode ?? fault.exitCode)
    }

    private static func way(on fault: ServerFault, _ line: (String) -> String) -> String {
        if let next = fault.next { return (fault.hint.isEmpty ? "" : fault.hint + "\n") + "Run: " + line(next) }
        let preparation = fault.preparation.map { $0 + " && " } ?? ""
        guard let account = fault.account else {
            return preparation.isEmpty ? fault.hint : "\(fault.hint) Run: \(fault.preparation ?? "")"
        }
        return "Run: " + preparation + CommandLineText.again(as: account)
    }

    /// What is said where the answer of a command that has done its work cannot be written.
    static let afterwards =
        "What was asked for has been done; a code or secret that was to be shown is lost: make another one."

    /// Writes an answer to standard output, or ends the process with the status for an answer that could not be
    /// written.
    ///
    /// - Parameter consequence: what that means then.
    static func print(_ text: String, otherwise consequence: String = Output.afterwards) {
        guard let reason = write(text, to: STDOUT_FILENO) else { return }
        warn("The answer could not be written to standard output: \(reason). \(consequence)")
        exit(ServerFault(.storage, "").exitCode)
    }

    /// Says a line of the argument parser's, without what would move a terminal's cursor.
    static func complain(_ line: String) {
        let shown = line.unicodeScalars.filter { $0.properties.generalCategory != .control }
        _ = write(String(String.UnicodeScalarView(shown)), to: STDERR_FILENO)
    }

    /// How a command shows the recovery key of a key that it makes: a person before anything is changed; a program in the
    /// one object that comes last.
    ///
    /// - Throws: ``ServerFault`` where nothing can be written.
    func recoveryKeyDisplay() throws(ServerFault) -> RecoveryKeyDisplay {
        guard json else {
            return .before { recovery throws(ServerFault) in
                guard let text = RecoveryKeyText(recovery) else { return }
                try Self.write(before: text.linesBefore.joined(separator: "\n") + "\n")
            }
        }
        // White space in front of an object belongs to it.
        try Self.write(before: " ")
        return .withAnswer
    }

    /// Makes sure that a command can tell what it does, before it does anything.
    ///
    /// - Parameter heading: what a person is told first.
    /// - Throws: ``ServerFault`` where nothing can be written.
    func begin(_ heading: String) throws(ServerFault) {
        // White space in front of an object belongs to it.
        guard let reason = Self.write(whole: json ? " " : heading + "\n", to: STDOUT_FILENO) else { return }
        throw ServerFault(
            .storage, "standard output cannot be written: \(reason)",
            hint: "Nothing was made. Run the command again where its answer can be read.")
    }

    /// Writes what has to be out before anything is changed.
    private static func write(before text: String) throws(ServerFault) {
        guard let reason = write(whole: text, to: STDOUT_FILENO) else { return }
        throw ServerFault(
            .storage, "the recovery key cannot be shown, because standard output cannot be written: \(reason)",
            hint: "Nothing was changed. Run the command again where its answer can be read.")
    }

    /// Says something beside the answer, on standard error.
    static func warn(_ text: String) {
        _ = write("mpin-server: \(text)", to: STDERR_FILENO)
    }

    /// - Returns: why it could not be written; nil when it was.
    private static func write(_ text: String, to descriptor: Int32) -> String? {
        write(whole: text + "\n", to: descriptor)
    }

    private static func write(whole text: String, to descriptor: Int32) -> String? {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return unsafe String(cString: strerror(errno)) }
            rest = rest.dropFirst(count)
        }
        return nil
    }

    /// An object on one line.
    static func text(of object: [String: Any]) -> String {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? JSONSerialization.data(withJSONObject: object, options: options) else {
            warn("no answer could be written")
            exit(70)
        }
        return String(decoding: data, as: UTF8.self)
    }
}
