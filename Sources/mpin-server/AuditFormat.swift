import ArgumentParser
import MPinServer

/// A form in which the audit log is exported, an event a line.
enum AuditFormat: String, ExpressibleByArgument, CaseIterable {
    case csv, json

    /// What stands before all events.
    var heading: String? { self == .csv ? "time,event,user,source,actor,detail" : nil }

    func line(_ event: AuditEvent) -> String {
        switch self {
        case .json: Output.text(of: AuditCommand.members(event))
        case .csv:
            [event.time.zulu, event.kind.rawValue, event.user, event.source, event.actor, event.detail]
                .map { Self.field($0 ?? "") }.joined(separator: ",")
        }
    }

    /// A field as RFC 4180 has it. Clients choose what stands in some of them, and a spreadsheet would run what begins
    /// like a formula: that begins with an apostrophe.
    private static func field(_ text: String) -> String {
        let formula: Set<Character> = ["=", "+", "-", "@", "\t"]
        let text = text.first.map(formula.contains) == true ? "'" + text : text
        guard text.utf8.contains(where: { ",\"\n\r".utf8.contains($0) }) else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
