// SPDX-License-Identifier: Apache-2.0

/// Connections that compete for places: those of one source, or all.
struct ConnectionGroup {
    private(set) var count = 0
    private var receiving = WaitingConnections()
    private var idle = WaitingConnections()

    /// How many wait for this server's response. They never give way.
    var answering: Int { count - receiving.count - idle.count }
    var hasVictim: Bool { answering < count }

    /// The connection that gives way to a new one; nil if all wait for a response.
    ///
    /// That is one with an incomplete request, or else the one that has been idle longest. If most are idle, they give
    /// way first. Otherwise a client with many idle connections would leave only the requests of others to be closed.
    var victim: UInt64? { receiving.count >= idle.count ? receiving.oldestOfSome : idle.oldest }

    mutating func add(_ connection: UInt64, _ phase: ConnectionPhase, since: UInt64) {
        count += 1
        switch phase {
        case .request: receiving.insert(connection, since: since)
        case .response: break
        case .nextRequest: idle.insert(connection, since: since)
        }
    }

    mutating func remove(_ connection: UInt64) {
        count -= 1
        receiving.remove(connection)
        idle.remove(connection)
    }
}

/// What a connection waits for.
enum ConnectionPhase: Sendable {
    /// The rest of a request, or of the TLS handshake before the first one.
    case request
    /// This server's response to a complete request.
    case response
    /// The next request.
    case nextRequest
}
