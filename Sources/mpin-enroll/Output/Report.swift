// SPDX-License-Identifier: Apache-2.0
import Console
import FoundationEssentials
import Glibc

/// The output of a command: one JSON object, or lines of text.
struct Report {
    /// A value of the JSON object.
    enum Value: Encodable {
        case text(String)
        case number(Int)
        case flag(Bool)
        case none
        case texts([String])
        case list([[String: Value]])
        case object([String: Value])

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .number(let number): try container.encode(number)
            case .flag(let flag): try container.encode(flag)
            case .texts(let texts): try container.encode(texts)
            case .none: try container.encodeNil()
            case .list(let list): try container.encode(list)
            case .object(let object): try container.encode(object)
            }
        }
    }

    var members: [String: Value]
    var lines: [String]
    /// Shown instead of the lines.
    private var table: Table?
    /// The hint.
    var next: Advice?
    /// The colors of lines, by their beginnings.
    var paints: [(beginning: String, paint: Display.Paint)]
    /// Whether standard output already has the beginning of the object.
    var isContinued = false

    init(
        _ lines: [String], _ members: [String: Value], next: Advice? = nil,
        paints: [(beginning: String, paint: Display.Paint)] = []
    ) { (self.lines, self.members, self.next, self.paints) = (lines, members, next, paints) }

    init(_ table: Table, _ members: [String: Value]) {
        self.init([], members)
        self.table = table
    }

    /// Prints the report of a command that did not fail on standard output.
    ///
    /// - Parameter isAnswer: whether it is printed with ``CommonOptions/quiet`` too.
    func print(_ options: CommonOptions, isAnswer: Bool) throws(CommandFailure) {
        guard options.json else {
            if options.quiet, !isAnswer { return }
            let display = options.display(STDOUT_FILENO)
            // The tabs of a changed file are kept; other control characters are removed.
            var shown =
                table?.lines(on: display)
                ?? lines.map { line in
                    let line = line.split(separator: "\t", omittingEmptySubsequences: false).map { visible(String($0)) }
                        .joined(separator: "\t")
                    return paints.first { line.hasPrefix($0.beginning) }.map { display.painted(line, $0.paint) } ?? line
                }
            if let next, !options.quiet {
                let hint = next.lines(options).map { visible($0) }
                shown += hint.indices.map { ($0 == 0 ? "next      " : "          ") + hint[$0] }
            }
            return try StandardOutput.write(shown)
        }
        var object = members
        if let next { object["hint"] = .text(next.text(options)) }
        object["schema"] = .number(1)
        object["ok"] = .flag(true)
        let text = Report.text(of: object)
        try StandardOutput.write([isContinued ? Report.continued(text) : text])
    }

    /// The beginning of an object whose other members are not known yet.
    static func beginning(_ members: [String: Value]) -> String { String(text(of: members).dropLast()) }

    /// The rest of an object whose beginning was printed.
    private static func continued(_ text: String) -> String { "," + text.dropFirst() }

    /// Prints a failure: the object on standard output, or lines on standard error.
    static func print(_ failure: CommandFailure, _ options: CommonOptions) {
        var lines = lines(of: failure, options)
        guard options.json else {
            let display = options.display(STDERR_FILENO)
            // A hint stays whole, so that its command can be copied.
            lines.replaceSubrange(..<1, with: Display.wrapped(lines[0], columns: display.columns))
            let name = "mpin-enroll:"
            lines[0] = display.painted(name, .red) + lines[0].dropFirst(name.count)
            return lines.forEach { Terminal.show($0 + "\n") }
        }
        printObject(lines, of: failure)
    }

    /// Prints a failure as an object where the options could not be parsed.
    static func print(_ failure: CommandFailure, hint: String?) {
        printObject([object(of: failure, hint: hint)], of: failure)
    }

    /// The printed form of a failure: the object, or the message, its details and the hint.
    static func lines(of failure: CommandFailure, _ options: CommonOptions) -> [String] {
        guard !options.json else { return [object(of: failure, hint: failure.advice?.text(options))] }
        var lines = ["mpin-enroll: " + visible(failure.message)] + failure.details.map { visible($0) }
        if let left = failure.attemptsLeft, left > 0 { lines.append("Tries left: \(left)") }
        return lines + (failure.advice?.lines(options) ?? []).map { visible($0) }
    }

    private static func object(of failure: CommandFailure, hint: String?) -> String {
        var error: [String: Value] = ["code": .text(failure.code), "message": .text(failure.message)]
        if let hint { error["hint"] = .text(hint) }
        if let left = failure.attemptsLeft { error["attemptsLeft"] = .number(left) }
        if !failure.details.isEmpty { error["details"] = .texts(failure.details) }
        let text = text(of: ["schema": .number(1), "ok": .flag(false), "error": .object(error)])
        return failure.isContinued ? continued(text) : text
    }

    private static func printObject(_ lines: [String], of failure: CommandFailure) {
        do throws(CommandFailure) { try StandardOutput.write(lines) } catch {
            // The exit status stays that of the failure.
            Terminal.say("mpin-enroll: " + failure.message)
        }
    }

    private static func text(of object: [String: Value]) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding text, numbers and flags does not fail. If it did, the caller would see an empty object.
        let data = (try? encoder.encode(object)) ?? Data("{}".utf8)
        return String(decoding: data, as: UTF8.self)
    }
}
