// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinServer
import MPinServerStorage

/// Shows the audit log.
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Show the audit log, one line per event, oldest first.",
        discussion: "Example: sudo -u mpin mpin-server audit --user alice --since 2026-11-20")

    @OptionGroup(title: HelpText.common) var options: Options

    @Option(help: .value("user-id", "Show only events about this user."), completion: .accounts)
    var user: String?

    @Option(help: .value("time", "Start at this time: 2026-11-20, 2026-11-20T08:30 (UTC), or seconds since 1970."))
    var since: AuditTime?

    @Option(help: .value("time", "End before this time, or at the end of this day."))
    var until: AuditTime?

    @Option(help: .value("number", "Show at most this many of the newest events (default 10000; with --format, all)."))
    var limit: Int?

    @Option(help: .value("format", "Export as csv, or as json (one object per line)."))
    var format: AuditFormat?

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more") }
        guard format == nil || !options.json else {
            throw ValidationError("--json and --format cannot be used together")
        }
    }

    func run() throws {
        let administrator = try options.administrator(ofAnyRole: true)
        if let format { return try export(administrator, format) }
        let events = try administrator.audit(
            user: user, since: since?.start, until: until?.end, limit: limit ?? 10_000)
        options.output.succeed(
            events.map(Self.line).joined(separator: "\n"), ["events": events.map(Self.members)])
    }

    private func export(_ administrator: Administrator, _ format: AuditFormat) throws {
        func write(_ lines: [String]) { if !lines.isEmpty { Output.print(lines.joined(separator: "\n")) } }
        write([format.heading].compactMap(\.self))
        if let limit {
            let events = try administrator.audit(user: user, since: since?.start, until: until?.end, limit: limit)
            return write(events.map(format.line))
        }
        try administrator.exportAudit(user: user, since: since?.start, until: until?.end) { write($0.map(format.line)) }
    }

    private static func line(_ event: AuditLine) -> String {
        var parts = [event.time.zulu, event.kind.rawValue]
        if let user = event.user { parts.append("user=\(user)") }
        if let source = event.source { parts.append("source=\(source)") }
        if let actor = event.actor { parts.append("actor=\(actor)") }
        if let detail = event.detail { parts.append("(\(detail))") }
        return parts.map { visible($0) }.joined(separator: "\t")
    }

    static func members(_ event: AuditLine) -> [String: Any] {
        var members: [String: Any] = ["time": event.time.zulu, "event": event.kind.rawValue]
        members["userId"] = event.user
        members["source"] = event.source
        members["actor"] = event.actor
        members["detail"] = event.detail
        return members
    }
}
