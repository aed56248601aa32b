// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The result of a command that succeeded: one JSON object, or lines of text.
package struct Report {
    /// The version of the JSON format.
    static let schema = 1

    package var members: Members
    private let shown: (Display) -> [String]
    /// The hint.
    private let next: Advice?
    /// The command that undoes what was done, as in ``Advice``.
    private let undo: String?
    package let exitStatus: ExitStatus
    /// Whether it is the requested answer, which `--quiet` does not suppress.
    private let isAnswer: Bool
    /// Whether standard output already has the beginning of the object.
    package var isContinued = false
    /// Whether long lines are broken between words on a terminal.
    private let wraps: Bool

    private init(
        _ members: Members, next: Advice?, undo: String? = nil, _ exitStatus: ExitStatus, isAnswer: Bool, wraps: Bool,
        _ shown: @escaping (Display) -> [String]
    ) {
        self.wraps = wraps
        self.undo = undo
        (self.members, self.next, self.exitStatus, self.isAnswer) = (members, next, exitStatus, isAnswer)
        self.shown = shown
    }

    /// - Parameter paints: the colors of lines, by their beginnings. Such lines are not broken.
    package init(
        _ lines: [String], _ members: Members, next: Advice? = nil, undo: String? = nil,
        exitStatus: ExitStatus = .done, isAnswer: Bool = false,
        paints: [(beginning: String, paint: Display.Paint)] = []
    ) {
        self.init(members, next: next, undo: undo, exitStatus, isAnswer: isAnswer, wraps: paints.isEmpty) { display in
            lines.map { line in
                // The tabs of a changed file are kept; other control characters are removed.
                let line = line.split(separator: "\t", omittingEmptySubsequences: false).map { visible(String($0)) }
                    .joined(separator: "\t")
                return paints.first { line.hasPrefix($0.beginning) }.map { display.painted(line, $0.paint) } ?? line
            }
        }
    }

    /// - Parameter styled: text that may have colors, and no other control characters.
    package init(styled: String, _ members: Members) {
        self.init(members, next: nil, .done, isAnswer: true, wraps: true) { _ in
            styled.isEmpty ? [] : styled.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
    }

    package init(_ table: Table, _ members: Members, exitStatus: ExitStatus = .done) {
        self.init(members, next: nil, exitStatus, isAnswer: true, wraps: false) { table.lines(on: $0) }
    }

    package func print(_ output: some OutputOptions) throws(CommandFailure) {
        guard output.json else {
            if output.quiet, !isAnswer { return }
            let columns = Display(STDOUT_FILENO).columns
            var lines = shown(Display(STDOUT_FILENO, output.color))
            if wraps { lines = lines.flatMap { Display.hint($0, columns: columns) } }
            if let next, !output.quiet {
                let hint = next.lines(output).flatMap {
                    Display.hint(visible($0), columns: columns == Int.max ? columns : columns - 10)
                }
                lines += hint.indices.map { ($0 == 0 ? "next      " : "          ") + hint[$0] }
            }
            if let undo, !output.quiet { lines.append("undo      " + visible(output.line(undo, for: Advice("")))) }
            return try StandardOutput.write(lines)
        }
        var object = members
        if let next { object["hint"] = next.text(output) }
        if let undo { object["undo"] = output.line(undo, for: Advice("")) }
        object["schema"] = Self.schema
        object["ok"] = true
        try StandardOutput.write([isContinued ? Report.continued(object.text) : object.text])
    }

    /// The beginning of an object whose other members are not known yet.
    package static func beginning(_ members: Members) -> String { String(members.text.dropLast()) }

    /// The rest of an object whose beginning was printed.
    static func continued(_ text: String) -> String { "," + text.dropFirst() }
}
