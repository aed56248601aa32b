internal import Logging
import Synchronization

/// Counts the open connections, and decides whether there may be one more.
///
/// A part of the connections is reserved for root: logins and sudo run as root, and get through while another user
/// floods the socket.
final class Connections: Sendable {
    /// The time between two warnings about the same limit.
    private static let warningInterval = Duration.seconds(60)

    private struct State {
        var total = 0
        var perSource: [RequestSource: Int] = [:]
        var nextWarning: [String: Instant] = [:]
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

    /// How many connections a process can have that may open so many files: 96 of them are kept for other uses.
    static func limit(files: Int, wanted: Int) -> Int { max(16, min(wanted, files - 96)) }

    /// How many are open.
    var count: Int { state.withLock(\.total) }

    /// Takes a new connection into account.
    ///
    /// - Returns: false when it has to be closed.
    func open(_ peer: ConnectedPeer) -> Bool {
        let isRoot = peer.source == .user(0)
        let isBounded = !isRoot && !proxies.include(peer)
        return state.withLock { state in
            guard state.total < (isRoot ? limit : limit - reserve) else {
                warn(
                    "connections", "all connections are taken, and new ones are closed at once", &state,
                    ["open": "\(state.total)", "max_connections": "\(limit)"])
                return false
            }
            let count = state.perSource[peer.source] ?? 0
            guard !isBounded || count < perSource else {
                warn(
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

    /// Warns that the system had no file descriptor or no memory for a connection.
    func warn(ofShortage reason: String) {
        state.withLock { state in
            warn(
                "shortage", "connections cannot be accepted; raise the limit of open files (LimitNOFILE in systemd)",
                &state, ["reason": "\(reason)", "open": "\(state.total)"])
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
