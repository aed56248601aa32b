import FoundationEssentials

/// What a command has to say: one JSON object for programs, or lines for people.
struct Report {
    /// A value of the JSON object.
    enum Value: Encodable {
        case text(String)
        case number(Int)
        case flag(Bool)
        case none
        case list([[String: Value]])
        case object([String: Value])

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .number(let number): try container.encode(number)
            case .flag(let flag): try container.encode(flag)
            case .none: try container.encodeNil()
            case .list(let list): try container.encode(list)
            case .object(let object): try container.encode(object)
            }
        }
    }

    var members: [String: Value]
    var lines: [String]
    /// What can be done next.
    var next: Advice?

    init(_ lines: [String], _ members: [String: Value], next: Advice? = nil) {
        self.lines = lines
        self.members = members
        self.next = next
    }

    /// Prints the outcome of a successful command on standard output.
    func print(_ options: CommonOptions) throws(CommandFailure) {
        guard options.json else {
            // The tabs are of the program's own making: a table has them.
            var shown = lines.map { line in
                line.split(separator: "\t", omittingEmptySubsequences: false).map { visible(String($0)) }
                    .joined(separator: "\t")
            }
            if let next { shown.append("next      " + visible(next.text(options))) }
            return try StandardOutput.write(shown)
        }
        var object = members
        if let next { object["hint"] = .text(next.text(options)) }
        object["schema"] = .number(1)
        object["ok"] = .flag(true)
        try StandardOutput.write([Report.text(of: object)])
    }

    /// Prints a failure: the object on standard output, or three lines on standard error.
    static func print(_ failure: CommandFailure, _ options: CommonOptions) {
        let lines = lines(of: failure, options)
        guard options.json else { return lines.forEach(Terminal.say) }
        printObject(lines, of: failure)
    }

    /// A failure as an object, for when the options are not known.
    static func print(_ failure: CommandFailure, hint: String?) {
        printObject([object(of: failure, hint: hint)], of: failure)
    }

    /// A failure as it is printed: the object, or three lines.
    static func lines(of failure: CommandFailure, _ options: CommonOptions) -> [String] {
        let hint = failure.advice?.text(options)
        guard !options.json else { return [object(of: failure, hint: hint)] }
        var lines = ["mpin-enroll: " + visible(failure.message)]
        if let left = failure.attemptsLeft, left > 0 { lines.append("Tries left: \(left)") }
        if let hint { lines.append(visible(hint)) }
        return lines
    }

    private static func object(of failure: CommandFailure, hint: String?) -> String {
        var error: [String: Value] = ["code": .text(failure.code), "message": .text(failure.message)]
        if let hint { error["hint"] = .text(hint) }
        if let left = failure.attemptsLeft { error["attemptsLeft"] = .number(left) }
        return text(of: ["schema": .number(1), "ok": .flag(false), "error": .object(error)])
    }

    private static func printObject(_ lines: [String], of failure: CommandFailure) {
        do throws(CommandFailure) { try StandardOutput.write(lines) } catch {
            // The exit status stays that of the failure itself.
            Terminal.say("mpin-enroll: " + visible(failure.message))
        }
    }

    private static func text(of object: [String: Value]) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Text, numbers and flags always have a JSON form; an empty object is what a caller would see otherwise.
        let data = (try? encoder.encode(object)) ?? Data("{}".utf8)
        return String(decoding: data, as: UTF8.self)
    }
}

/// A text without control characters: what comes from a server or a file must not steer the terminal.
func visible(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.properties.isControl }))
}

extension Unicode.Scalar.Properties {
    fileprivate var isControl: Bool {
        switch generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: true
        default: false
        }
    }
}
