internal import Logging
import Synchronization

/// Counts the open connections, and decides whether there may be one more.
///
/// Where a socket is flooded by one user, root's programs still get through: a part of all connections is theirs alone,
/// and what asks for a PIN at a login or in sudo is root's.
final class Connections: Sendable {
    /// The time between two log lines about the same.
    private static let silence = Duration.seconds(60)

    private struct State {
        var total = 0
        var perSource: [RequestSource: Int] = [:]
        var nextComplaint: [String: Instant] = [:]
    }

    private let limit: Int
    private let reserve: Int
    private let perSource: Int
    private let proxies: TrustedProxies
    private let clock: ServerClock
    private let logger: Logger
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: how many there may be in all.
    ///   - perSource: how many a source may have. A trusted proxy may have more: it connects for many.
    init(limit: Int, perSource: Int, proxies: TrustedProxies, clock: ServerClock, logger: Logger) {
        self.limit = limit
        self.perSource = perSource
        self.proxies = proxies
        self.clock = clock
        self.logger = logger
        reserve = max(4, limit / 8)
    }

    /// How many connections a process can have that may open so many files: some are needed for other things.
    static func limit(files: Int, wanted: Int) -> Int { max(16, min(wanted, files - 96)) }

    /// Takes a new connection into account.
    ///
    /// - Returns: false when it has to be closed.
    func open(_ peer: ConnectedPeer) -> Bool {
        let isRoot = peer.source == .user(0)
        let isBounded = !isRoot && !proxies.include(peer)
        return state.withLock { state in
            guard state.total < (isRoot ? limit : limit - reserve) else {
                complain(
                    "connections", "all connections are taken, and new ones are closed at once", &state,
                    ["open": "\(state.total)", "max_connections": "\(limit)"])
                return false
            }
            let count = state.perSource[peer.source] ?? 0
            guard !isBounded || count < perSource else {
                complain(
                    "source", "a source has all the connections it may have, and its new ones are closed at once",
                    &state,
                    ["source": "\(peer.source.text)", "connections_per_source": "\(perSource)"])
                return false
            }
            state.total += 1
            state.perSource[peer.source] = count + 1
            return true
        }
    }

    /// Forgets a connection that was taken into account.
    func close(_ peer: ConnectedPeer) {
        state.withLock { state in
            state.total -= 1
            let count = (state.perSource[peer.source] ?? 1) - 1
            state.perSource[peer.source] = count > 0 ? count : nil
        }
    }

    /// Says that the system gave no descriptor, or none of its memory, for a connection.
    func complain(ofShortage reason: String) {
        state.withLock { state in
            complain(
                "shortage", "connections cannot be accepted; raise the limit of open files (LimitNOFILE in systemd)",
                &state, ["reason": "\(reason)", "open": "\(state.total)"])
        }
    }

    /// Rate-limited: a flood of connections must not fill the log as well.
    private func complain(_ kind: String, _ text: String, _ state: inout State, _ metadata: Logger.Metadata) {
        let now = clock.monotonic()
        if let next = state.nextComplaint[kind], now < next { return }
        state.nextComplaint[kind] = now + Self.silence
        logger.warning("\(text)", metadata: metadata)
    }
}
