import ArgumentParser
import MPinServer

/// Shows what happened.
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Show what happened, one line per event, oldest first.")

    @OptionGroup var options: Options

    @Option(help: ArgumentHelp("Only what is about this user.", valueName: "user-id"), completion: .accounts)
    var user: String?

    @Option(
        help: ArgumentHelp("Only what happened at or after this time, in seconds since 1970.", valueName: "seconds"))
    var since: Int64?

    @Option(help: ArgumentHelp("At most so many events, the newest.", valueName: "number"))
    var limit = 10_000

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit takes a number from 1 on.") }
    }

    func run() throws {
        let events = try options.administrator().audit(user: user, since: since, limit: limit)
        options.output.succeed(
            events.map(Self.line).joined(separator: "\n"), ["events": events.map(Self.members)])
    }

    private static func line(_ event: AuditEvent) -> String {
        var parts = [event.time.zulu, event.kind.rawValue]
        if let user = event.user { parts.append("user=\(user)") }
        if let source = event.source { parts.append("source=\(source)") }
        if let actor = event.actor { parts.append("actor=\(actor)") }
        if let detail = event.detail { parts.append("(\(detail))") }
        return parts.joined(separator: "\t")
    }

    private static func members(_ event: AuditEvent) -> [String: Any] {
        var members: [String: Any] = ["time": event.time.zulu, "event": event.kind.rawValue]
        members["userId"] = event.user
        members["source"] = event.source
        members["actor"] = event.actor
        members["detail"] = event.detail
        return members
    }
}
