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
            """)

    @Option(help: .value("user-id", "Show only events about this user."), completion: .serverUsers) var user: String?

    @Option(help: .value("time", "Start at 2026-11-20, or 2026-11-20T08:30 (UTC)."))
    var since: AuditTime?

    @Option(help: .value("time", "End before this time, or at the end of this day.")) var until: AuditTime?

    @Option(help: .value("number", "Show only the newest events (default 10000; all with --json)."))
    var limit: Int?

    @Flag(help: "Print new events as they come, until interrupted.") var follow = false
    @OptionGroup var options: Options

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more") }
        guard !follow || until == nil else { throw ValidationError("--follow and --until cannot be used together") }
    }

    func run() throws {
        if follow { return try followLog() }
        var reader = try options.administrator(ofAnyRole: true).auditReader(
            user: user, since: since?.start, until: until?.end, newest: limit ?? (options.json ? nil : 10_000))
        var events: [AuditLine] = []
        try reader.read { events += $0 }
        let display = Display.output
        let lines = display.isTerminal ? Self.table(events).lines(on: display) : events.map { Self.line($0) }
        try options.output.succeed(lines.joined(separator: "\n"), ["events": events.map(Self.members)])
    }

    private static func table(_ events: [AuditLine]) -> Table {
        Table(
            // An event has the address of a client, or the account of an administrator.
            heading: ["TIME", "EVENT", "USER", "FROM", "DETAIL"],
            rows: events.map { event in
                let from = event.source.map(Self.account) ?? event.actor
                return [.time(event.time.zulu), Table.Cell(event.kind.rawValue, event.kind.paint)]
                    + [event.user, from, event.detail.map(Self.shortened)].map { Table.Cell($0 ?? "") }
            }, isLog: true)
    }

    /// A detail with only the start of each hash. An attacker can search for two hashes with the same start, so the other
    /// forms of output have the whole hashes, for comparisons.
    private static func shortened(_ detail: String) -> String {
        detail.replacing(/[0-9a-f]{64}/) { $0.output.prefix(8) + "..." }
    }

    /// The account of a client on a socket, by its name on this host; another source as it is.
    private static func account(_ source: String) -> String {
        let number = source.hasPrefix("uid ") ? uid_t(source.dropFirst(4)) : nil
        return number.flatMap(FileFacts.account) ?? source
    }

    private func followLog() throws {
        let display = Display.output
        mpin_terminal_end_on_interrupt()
        // The write fails instead.
        _ = signal(SIGPIPE, SIG_IGN)
        let database = try options.serverDirectory.database, file = FileIdentity(of: database)
        var reader = try options.administrator(ofAnyRole: true).auditReader(
            user: user, since: since?.start, newest: limit ?? (since == nil ? 0 : nil),
            isFollowing: true)
        repeat {
            try reader.read {
                $0.forEach { Output.stream(options.json ? Self.members($0).text : Self.line($0, on: display)) }
            }
            guard FileIdentity(of: database) == file else {
                throw ServerError(.storage, "a backup replaced the database", hint: "Run the command again.")
            }
        } while Output.readerRemains(after: 1_000)
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
        let kind = event.kind.paint.map { display.painted(parts[1], $0) } ?? parts[1]
        // Clients choose some of the text. No row of the terminal begins with it.
        let start = parts[0].count + AuditKind.longestName + 4
        let text = Display.wrapped(parts[2...].joined(separator: "  "), columns: display.columns, indentation: start)
        return parts[0] + "  " + kind + gap + "  " + text.joined(separator: "\n").dropFirst(start)
    }

    private static func members(_ event: AuditLine) -> Members {
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
        guard let time = Timestamp(utc: argument) else { return nil }
        (start, isDay) = (time, !argument.contains("T"))
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
