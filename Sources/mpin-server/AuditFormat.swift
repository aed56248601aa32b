// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import MPinServer
import MPinServerStorage

/// An export format of the audit log, with one event per line.
enum AuditFormat: String, ExpressibleByArgument, CaseIterable {
    case csv, json

    /// The heading line; nil for a format without one.
    var heading: String? { self == .csv ? "time,event,user,source,actor,detail" : nil }

    func line(_ event: AuditLine) -> String {
        switch self {
        case .json: Output.text(of: AuditCommand.members(event))
        case .csv:
            [event.time.zulu, event.kind.rawValue, event.user, event.source, event.actor, event.detail]
                .map { Self.field($0 ?? "") }.joined(separator: ",")
        }
    }

    /// A field in the form of RFC 4180. Clients choose the content of some fields, and a spreadsheet would run text
    /// that begins like a formula, so such a field gets an apostrophe in front.
    private static func field(_ text: String) -> String {
        let formula: Set<Character> = ["=", "+", "-", "@", "\t"]
        let text = text.first.map(formula.contains) == true ? "'" + text : text
        guard text.utf8.contains(where: { ",\"\n\r".utf8.contains($0) }) else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
