// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import Logging
internal import MPinServerStorage
import Synchronization
internal import SystemFiles

/// The log on standard error. All loggers of a server share it, so that a reload changes all of them.
final class LogOutput: Sendable {
    private let format = Mutex(LogFormat.text)
    /// Whether journald reads standard error. It takes the priority of a line from its beginning.
    private let isJournal: Bool

    init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
        isJournal = Self.isJournal(environment["JOURNAL_STREAM"])
    }

    /// Compares the file, because the variable is kept even if standard error was redirected.
    private static func isJournal(_ stream: String?) -> Bool {
        guard let stream, let file = FileFacts(of: STDERR_FILENO)?.identity else { return false }
        return stream == "\(file.device):\(file.number)"
    }

    func logger() -> Logger { Logger(label: "mpin-server") { [self] _ in ServerLogHandler(output: self) } }

    func adopt(_ format: LogFormat) { self.format.withLock { $0 = format } }

    /// Writes a line with a single system call, so that lines do not mix.
    func write(_ level: Logger.Level, _ message: String, _ metadata: [(key: String, value: String)], source: String) {
        var line: String
        switch format.withLock({ $0 }) {
        case .json: line = Self.json(level, message, metadata)
        case .text where isJournal: line = Self.journal(level, message, metadata)
        case .text:
            let members = metadata.map { " " + Self.member($0) }.joined()
            line = "\(Self.localTime()) \(level) mpin-server:\(members) [\(source)] \(message)"
        }
        line += "\n"
        _ = unsafe line.utf8CString.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count - 1) }
    }

    /// Time (RFC 3339), level, message and metadata.
    private static func json(
        _ level: Logger.Level, _ message: String, _ metadata: [(key: String, value: String)]
    ) -> String {
        let time = ServerClock.system.now.fractional + "Z"
        var members = [("time", time), ("level", level.rawValue), ("message", message)]
        let own = members.map { $0.0 }
        members += metadata.map { own.contains($0.key) ? ("metadata." + $0.key, $0.value) : ($0.key, $0.value) }
        return "{" + members.map { "\(JSONLine.quoted($0.0)):\(JSONLine.quoted($0.1))" }.joined(separator: ",") + "}"
    }

    /// Priority, message and metadata. journald knows time and program. One line, because a second line would have no
    /// priority.
    private static func journal(
        _ level: Logger.Level, _ message: String, _ metadata: [(key: String, value: String)]
    ) -> String {
        let members = metadata.map(member).joined(separator: ", ")
        let text = members.isEmpty ? message : "\(message) (\(members))"
        return "<\(priority(level))>" + text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// A member of a line of text. A value of several words is quoted, so that a value cannot look like further
    /// members.
    private static func member(_ member: (key: String, value: String)) -> String {
        let isWord = member.value.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"\\=,".utf8.contains($0) }
        return member.key + "=" + (isWord && !member.value.isEmpty ? member.value : JSONLine.quoted(member.value))
    }

    /// The priorities of syslog(3).
    private static func priority(_ level: Logger.Level) -> Int {
        switch level {
        case .critical: 2
        case .error: 3
        case .warning: 4
        case .notice, .info, .debug, .trace: 5
        }
    }

    private static func localTime() -> String {
        var now = time(nil)
        var parts = unsafe tm()
        guard unsafe localtime_r(&now, &parts) != nil else { return ServerClock.system.now.zulu }
        var text = [CChar](repeating: 0, count: 64)
        let count = unsafe strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S%z", &parts)
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

enum LogFormat: String, Sendable {
    case text
    /// One object on each line.
    case json
}

enum JSONLine {
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            // Includes the control characters after DEL, which must not reach a terminal.
            case _ where scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value || 0x2028...0x2029 ~= scalar.value:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

struct ServerLogHandler: LogHandler {
    let output: LogOutput
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    /// More detail than `notice` could show the M-Pin IDs in paths.
    var logLevel: Logger.Level {
        get { .notice }
        set {}
    }

    init(output: LogOutput) { self.output = output }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var members = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }
        members.merge(event.metadata ?? [:]) { $1 }
        if let error = event.error { members["error"] = "\(error)" }
        output.write(
            event.level, event.message.description,
            members.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value.description) }, source: event.source)
    }
}
