// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import Glibc
import MPin
import SystemFiles

/// The source of a PIN: a file, standard input, or the terminal.
struct PINSource {
    /// A path, or `-` for standard input.
    let file: String?
    /// The flag that names the file, for the message that a PIN is needed.
    let flag: String
    let mayAsk: Bool
    var afterCanceling = Advice("Nothing was changed. Check the current state", "status")
    /// The message if the user cannot be asked, and its hint; `nil` to name the flag.
    var whenNeeded: Advice?
    var messageWhenNeeded = "A PIN is needed, but this program cannot prompt for it."
    /// Asks if there is no terminal, or if the user prefers it.
    var program: AskProgram?

    /// The number of mistyped confirmations after which a call fails.
    static let rounds = 3

    init(file: String?, flag: String = "--pin-file", mayAsk: Bool) {
        (self.file, self.flag, self.mayAsk) = (file, flag, mayAsk)
    }

    /// Fails early if a PIN is needed but is not given and cannot be asked for.
    func require() throws(CommandFailure) {
        guard file == nil else { return }
        guard mayAsk, Terminal() != nil || program != nil else { throw needed }
    }

    /// - Parameters:
    ///   - notice: what the user must know before the answer.
    ///   - mayBeEmpty: whether Enter alone is a valid answer.
    func pin(_ notice: String? = nil, prompt: String, mayBeEmpty: Bool = false) throws(CommandFailure) -> PIN {
        if let file { return try PINSource.read(file) }
        let pin = try ask(prompt, after: notice)
        guard mayBeEmpty || !pin.isEmpty else {
            throw CommandFailure(.canceled, "PIN_INPUT_CANCELED", "No PIN was entered.", advice: afterCanceling)
        }
        return pin
    }

    /// Gets a new PIN, asking twice on the terminal. Weak ones are refused.
    func newPIN(prompt: String) throws(CommandFailure) -> PIN {
        if let file {
            let pin = try PINSource.read(file)
            if let weakness = pin.weakness() { throw PINSource.refusal(weakness) }
            return pin
        }
        var mismatches = 0
        while true {
            let pin = try ask(prompt)
            if let weakness = pin.weakness() {
                Terminal.say(weakness.explanation.text + " Choose another one.")
                continue
            }
            let again = try ask("Retype the new PIN: ")
            if pin.equals(again) { return pin }
            mismatches += 1
            guard mismatches < PINSource.rounds else {
                throw CommandFailure(
                    .badInput, "NOT_CONFIRMED", "The two PINs differed \(mismatches) times.", advice: afterCanceling)
            }
            Terminal.say("The two PINs differ. Choose again.")
        }
    }

    private func ask(_ prompt: String, after notice: String? = nil) throws(CommandFailure) -> PIN {
        guard mayAsk else { throw needed }
        let pin: PIN?
        if program?.isPreferred != true, let terminal = Terminal() {
            if let notice { Terminal.say(notice) }
            do throws(MPinError) { pin = try terminal.askPIN(prompt) } catch { throw CommandFailure(error) }
        } else {
            guard let program else { throw needed }
            pin = try program.pin((notice.map { visible($0) + "\n" } ?? "") + visible(prompt))
        }
        guard let pin else {
            throw CommandFailure(.canceled, "PIN_INPUT_CANCELED", "Canceled.", advice: afterCanceling)
        }
        return pin
    }

    private var needed: CommandFailure {
        CommandFailure(
            .inputNeeded, "INPUT_NEEDED", messageWhenNeeded,
            advice: whenNeeded ?? Advice("Add \(flag) FILE, or \(flag) - for standard input."))
    }

    /// Reads the first line of a file directly into memory for secrets.
    private static func read(_ path: String) throws(CommandFailure) -> PIN {
        let file = try SystemFile.input(path, of: "PIN")
        let line: PIN
        do throws(MPinError) { line = try PINSource.line(file.descriptor) } catch { throw CommandFailure(error) }
        let name = path == "-" ? "Standard input" : "The PIN file \(path)"
        guard line.count < PIN.longest else {
            throw CommandFailure(
                .badInput, "BAD_INPUT", "\(name) contains more than a PIN.", advice: Advice("Check its first line."))
        }
        guard !line.isEmpty else { throw CommandFailure(.badInput, "BAD_INPUT", "\(name) contains no PIN.") }
        return line
    }

    /// Reads a line, or its beginning if it is as long as no PIN is.
    static func line(_ descriptor: Int32) throws(MPinError) -> PIN {
        var pin = try PIN()
        for count in 1...PIN.longest {
            var got = 0
            var byte: UInt8 = 0
            pin.fill(count: count) { bytes in
                unsafe bytes.withUnsafeMutableBytes { all in
                    guard let start = all.baseAddress else { return }
                    repeat {
                        got = unsafe Glibc.read(descriptor, start + (count - 1), 1)
                    } while got < 0 && errno == EINTR
                    unsafe byte = all[count - 1]
                }
            }
            guard got == 1, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") else {
                pin.fill(count: count - 1) { _ in }
                break
            }
        }
        return pin
    }

    static func refusal(_ weakness: PINWeakness) -> CommandFailure {
        CommandFailure(.badInput, "WEAK_PIN", weakness.explanation.text, advice: Advice("Choose another PIN."))
    }
}

/// A PIN that several steps need. A class, because noncopyable values cannot be in tuples and optionals.
final class NewPIN {
    private let pin: PIN

    init(_ pin: consuming PIN) { self.pin = pin }

    func withPIN<R: ~Copyable, E: Error>(_ body: (borrowing PIN) throws(E) -> R) throws(E) -> R { try body(pin) }

    func copy() throws(CommandFailure) -> PIN { try NewPIN.reading { () throws(MPinError) in try pin.copy() } }

    static func reading(_ make: () throws(MPinError) -> PIN) throws(CommandFailure) -> PIN {
        do throws(MPinError) { return try make() } catch { throw CommandFailure(error) }
    }
}

/// The options for the current PIN.
struct PINOptions: ParsableArguments {
    @Option(help: .value("file", "Read the current PIN from a file (- for standard input)."), completion: .file())
    var pinFile: String?

    /// - Parameter command: the command in the hint after canceling.
    func source(_ common: CommonOptions, for command: String) -> PINSource {
        var source = PINSource(file: pinFile, mayAsk: common.mayAsk)
        source.afterCanceling = Advice("No try was used. Try again", command)
        return source
    }
}

extension SystemFile {
    /// Opens a file that the command line names.
    ///
    /// - Parameters:
    ///   - path: `-` for standard input.
    ///   - content: what the file contains, for the message.
    static func input(_ path: String, of content: String) throws(CommandFailure) -> SystemFile {
        let descriptor = path == "-" ? dup(STDIN_FILENO) : unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0, FileFacts(of: descriptor)?.isDirectory != true else {
            let fault = descriptor < 0 ? SystemError() : SystemError(EISDIR)
            throw CommandFailure(
                .badInput, "BAD_INPUT", "The \(content) file \(path) cannot be opened: \(fault.text).",
                advice: Advice("Use a file that you may read, or - for standard input."))
        }
        return SystemFile(adopting: descriptor, path: path)
    }
}
