// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import MPinServerStorage
import Synchronization

/// The open connections, and which of them gives way if there is no place for a new one.
///
/// A connection that waits for this server's response never gives way. The last places are reserved: on a Unix socket
/// for root, because logins and sudo run as root; on a port for sources without another connection, and for proxies
/// until they name their client.
final class Connections: Sendable {
    /// The time between two warnings about the same limit.
    private static let warningInterval = Duration.seconds(60)

    private struct Entry {
        let source: RequestSource
        /// Whether the number of its source's places is limited.
        let isBounded: Bool
        let giveWay: @Sendable () -> Void
        var phase = ConnectionPhase.request
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        /// All connections except root's.
        var all = ConnectionGroup()
        var sources: [RequestSource: ConnectionGroup] = [:]
        /// The limited sources that have at least as many connections as a source keeps.
        var crowded: Set<RequestSource> = []
        /// The number of the last connection or change, which increases with time.
        var last: UInt64 = 0
        var nextWarning: [String: Instant] = [:]
    }

    private let limit: Int
    private let reserve: Int
    private let perSource: Int
    private let isForRoot: Bool
    private let clock: ServerClock
    private let logger: Logger
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: the number of connections in total.
    ///   - perSource: how many a source keeps if there is no place left, and how many may wait for a response. Root and
    ///     trusted proxies are not limited, because a proxy connects for many clients.
    ///   - isForRoot: whether the reserve is for root.
    init(limit: Int, perSource: Int, isForRoot: Bool, clock: ServerClock, logger: Logger) {
        (self.limit, self.perSource, self.isForRoot) = (limit, perSource, isForRoot)
        (self.clock, self.logger) = (clock, logger)
        reserve = max(4, limit / 8)
    }

    /// The number of connections for a process that may open this many files.
    ///
    /// A quarter of the files is kept for other uses: the status socket, the database, and connections that are being
    /// closed.
    static func limit(files: Int, wanted: Int) -> Int { max(16, min(wanted, files - max(96, files / 4))) }

    /// How many connections are open.
    var count: Int { state.withLock(\.entries.count) }

    /// Gives a new connection a place. Another one may have to give way.
    ///
    /// - Parameters:
    ///   - isProxy: whether the source is a trusted proxy, whose client may still be unknown.
    ///   - giveWay: closes the connection. It is called on any thread.
    /// - Returns: nil if it must be closed.
    func open(_ source: RequestSource, isProxy: Bool, giveWay: @escaping @Sendable () -> Void) -> OpenConnection? {
        let isRoot = source == .user(0)
        let isBounded = !isRoot && !isProxy
        var displaced: (@Sendable () -> Void)?
        let number: UInt64? = state.withLock { state in
            let own = state.sources[source]?.count ?? 0
            let usesReserve = isForRoot ? isRoot : own == 0 || isProxy
            if state.entries.count >= (usesReserve ? limit : limit - reserve) {
                let victim = Self.victim(for: source, own > 0 && (isBounded || !isForRoot), state)
                warn(
                    "connections",
                    victim == nil
                        ? "all connections are waiting for responses, so the server closes new ones"
                        : "all connections are in use; each new one closes one that has not sent a complete request",
                    &state, ["open": "\(state.entries.count)", "max_connections": "\(limit)"])
                guard let victim else { return nil }
                displaced = state.entries[victim]?.giveWay
                remove(victim, &state)
            }
            state.last += 1
            let number = state.last
            add(number, Entry(source: source, isBounded: isBounded, giveWay: giveWay), &state)
            return number
        }
        displaced?()
        return number.map { OpenConnection(connections: self, number: $0, source: source) }
    }

    /// Records what a connection waits for.
    ///
    /// - Returns: false if it must be closed, because it has given way or its source waits for too many responses.
    func change(_ number: UInt64, to phase: ConnectionPhase) -> Bool {
        state.withLock { state in
            guard var entry = state.entries[number] else { return false }
            guard entry.phase != phase else { return true }
            let answering = state.sources[entry.source]?.answering ?? 0
            guard phase != .response || !entry.isBounded || answering < perSource else {
                warn(
                    "source", "a source has too many requests that wait for responses, so further ones get 503", &state,
                    ["source": "\(entry.source.text)", "connections_per_source": "\(perSource)"])
                return false
            }
            remove(number, &state)
            entry.phase = phase
            state.last += 1
            add(number, entry, &state)
            return true
        }
    }

    func close(_ number: UInt64) { state.withLock { state in remove(number, &state) } }

    /// Chooses the connection that gives way to a new one.
    ///
    /// Sources with many connections lose theirs first. If there are none, a further connection of a source displaces
    /// only one of its own. Otherwise a few sources that wait for responses would displace the only connections of all
    /// others.
    private static func victim(for source: RequestSource, _ isFurther: Bool, _ state: State) -> UInt64? {
        let heaviest = state.crowded.compactMap { state.sources[$0] }.filter(\.hasVictim).max { $0.count < $1.count }
        if let heaviest { return heaviest.victim }
        if isFurther { return state.sources[source]?.victim }
        return state.all.victim ?? (source == .user(0) ? state.sources[source]?.victim : nil)
    }

    private func add(_ number: UInt64, _ entry: Entry, _ state: inout State) {
        let source = entry.source
        state.entries[number] = entry
        if source != .user(0) { state.all.add(number, entry.phase, since: state.last) }
        state.sources[source, default: ConnectionGroup()].add(number, entry.phase, since: state.last)
        if entry.isBounded, state.sources[source]?.count == perSource { state.crowded.insert(source) }
    }

    private func remove(_ number: UInt64, _ state: inout State) {
        guard let entry = state.entries.removeValue(forKey: number) else { return }
        let source = entry.source
        if source != .user(0) { state.all.remove(number) }
        state.sources[source]?.remove(number)
        let count = state.sources[source]?.count ?? 0
        if count == 0 { state.sources[source] = nil }
        if count < perSource { state.crowded.remove(source) }
    }

    /// Warns that the system had no file descriptor or no memory for a connection.
    func warn(ofShortage reason: String) {
        state.withLock { state in
            warn(
                "shortage", "connections cannot be accepted; raise the limit of open files (LimitNOFILE in systemd)",
                &state, ["reason": "\(reason)", "open": "\(state.entries.count)"])
        }
    }

    /// Warns that a trusted proxy does not name its client.
    func warn(ofHeaderFrom source: RequestSource) {
        state.withLock { state in
            warn(
                "header", "a trusted proxy does not send a PROXY v2 header (HAProxy: send-proxy-v2)", &state,
                ["source": "\(source.text)"])
        }
    }

    /// Rate-limited, so that a flood of connections does not fill the log.
    private func warn(_ kind: String, _ text: String, _ state: inout State, _ metadata: Logger.Metadata) {
        let now = clock.monotonic()
        if let next = state.nextWarning[kind], now < next { return }
        state.nextWarning[kind] = now + Self.warningInterval
        logger.warning("\(text)", metadata: metadata)
    }
}

/// A connection with a place among ``Connections``.
struct OpenConnection: Sendable {
    let connections: Connections
    let number: UInt64
    let source: RequestSource

    /// Reports what the connection waits for now.
    ///
    /// - Returns: false if it must be closed.
    func wait(for phase: ConnectionPhase) -> Bool { connections.change(number, to: phase) }

    /// Releases the place.
    func close() { connections.close(number) }
}
