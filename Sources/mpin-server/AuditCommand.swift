// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CTerminal
import Console
import Glibc
import MPinServer
import MPinServerStorage
import SystemFiles

struct AuditCommand: DirectoryCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Show the audit log, one line per event, oldest first.",
        discussion: """
            Example: sudo mpin-server audit --user alice --since 2026-11-20
            Example: sudo mpin-server audit --follow
            """)

    @Option(help: .value("user-id", "Show only events about this user."), completion: .serverUsers) var user: String?

    @Option(help: .value("time", "Start at this time: 2026-11-20, 2026-11-20T08:30 (UTC), or seconds since 1970."))
    var since: AuditTime?

    @Option(help: .value("time", "End before this time, or at the end of this day.")) var until: AuditTime?

    @Option(help: .value("number", "Show at most this many of the newest events (default 10000; with --format, all)."))
    var limit: Int?

    @Flag(help: "Print new events as they come, after those of --since or --limit, until interrupted.") var follow =
        false

    @Option(help: .value("format", "Export as csv, or as json (one object per line).")) var format: AuditFormat?
    @OptionGroup var options: Options

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more") }
        guard format == nil || !options.json else {
            throw ValidationError("--json and --format cannot be used together")
        }
        guard !follow || until == nil else { throw ValidationError("--follow and --until cannot be used together") }
    }

    func run() throws {
        if follow { return try followLog() }
        let administrator = try options.administrator(ofAnyRole: true)
        if let format { return try export(administrator, format) }
        let events = try administrator.audit(user: user, since: since?.start, until: until?.end, limit: limit ?? 10_000)
        let display = Display.output
        let lines = display.isTerminal ? Self.table(events).lines(on: display) : events.map { Self.line($0) }
        try options.output.succeed(lines.joined(separator: "\n"), ["events": events.map(Self.members)])
    }

    private static func table(_ events: [AuditLine]) -> Table {
        Table(
            heading: ["TIME", "EVENT", "USER", "SOURCE", "ACTOR", "DETAIL"],
            rows: events.map { event in
                [.time(event.time.zulu), Table.Cell(event.kind.rawValue, event.kind.paint)]
                    + [event.user, event.source, event.actor, event.detail].map { Table.Cell($0 ?? "") }
            }, isLog: true)
    }

    /// Prints the events that `--since` or `--limit` selects, and then each new event.
    private func followLog() throws {
        let format = options.json ? .json : format, display = Display.output
        mpin_terminal_end_on_interrupt()
        // The write fails instead.
        _ = signal(SIGPIPE, SIG_IGN)
        if let heading = format?.heading { Output.stream(heading) }
        let database = try options.serverDirectory.database, file = FileIdentity(of: database)
        var reader = try options.administrator(ofAnyRole: true).auditReader(
            user: user, since: since?.start, newest: limit ?? (since == nil ? 0 : nil))
        repeat {
            try reader.read { $0.forEach { Output.stream(format?.line($0) ?? Self.line($0, on: display)) } }
            guard FileIdentity(of: database) == file else {
                throw ServerError(.storage, "a backup replaced the database", hint: "Run the command again.")
            }
        } while Output.readerRemains(after: 1_000)
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

    /// The event on one line. A terminal shows the time itself, because relative times on it would soon be wrong.
    private static func line(_ event: AuditLine, on display: Display? = nil) -> String {
        var parts = [event.time.zulu, event.kind.rawValue]
        if let user = event.user { parts.append("user=\(user)") }
        if let source = event.source { parts.append("source=\(source)") }
        if let actor = event.actor { parts.append("actor=\(actor)") }
        if let detail = event.detail { parts.append("(\(detail))") }
        parts = parts.map { visible($0) }
        guard let display, display.isTerminal else { return parts.joined(separator: "\t") }
        let gap = String(repeating: " ", count: max(0, AuditKind.longestName - parts[1].count))
        if let paint = event.kind.paint { parts[1] = display.painted(parts[1], paint) }
        parts[1] += gap
        return parts.joined(separator: "  ")
    }

    static func members(_ event: AuditLine) -> Members {
        var members: Members = ["time": event.time.zulu, "event": event.kind.rawValue]
        members["userId"] = event.user
        members["source"] = event.source
        members["actor"] = event.actor
        members["detail"] = event.detail
        return members
    }
}

/// A time on the command line: a whole day, or one moment.
struct AuditTime: ExpressibleByArgument {
    /// The moment, or the first moment of the day.
    let start: Timestamp
    private let isDay: Bool

    /// The end of the day, at midnight; for a moment, the moment itself.
    var end: Timestamp { isDay ? start.adding(seconds: 86_400) : start }

    init?(argument: String) {
        if let seconds = Int64(argument), 0...253_402_300_799 ~= seconds {
            (start, isDay) = (Timestamp(seconds: seconds), false)
        } else if let time = Timestamp(utc: argument) {
            (start, isDay) = (time, !argument.contains("T"))
        } else {
            return nil
        }
    }
}

/// An export format of the audit log, with one event per line.
enum AuditFormat: String, ExpressibleByArgument, CaseIterable {
    case csv, json

    /// The heading line; nil for a format without one.
    var heading: String? { self == .csv ? "time,event,user,source,actor,detail" : nil }

    func line(_ event: AuditLine) -> String {
        switch self {
        case .json: AuditCommand.members(event).text
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

extension AuditKind {
    /// The color of an event: red if something failed or was withdrawn, yellow if something is not finished, green if a
    /// user can log in. Nil for other events.
    var paint: Display.Paint? {
        switch self {
        case .registrationRefused, .mailFailed, .wrongPIN, .blocked, .refused, .denied, .rateLimited, .revoked,
            .rolledBack:
            .red
        case .invited, .registrationStarted, .registrationRestarted, .mailSent, .activated: .yellow
        case .enrolled, .login, .approved, .unblocked, .restored: .green
        default: nil
        }
    }

    /// The number of characters of the longest name.
    static let longestName = allCases.map(\.rawValue.count).max() ?? 0
}
