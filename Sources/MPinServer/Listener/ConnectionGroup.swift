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
    case nextRequest
}

/// Connections that may be closed to make room, and since when they wait.
///
/// Each operation except ``oldest`` takes constant time.
struct WaitingConnections {
    private typealias Member = (connection: UInt64, since: UInt64)

    /// How many random connections are compared; see ``oldestOfSome``.
    private static let sample = 4

    private var members: [Member] = []
    private var positions: [UInt64: Int] = [:]

    var count: Int { members.count }

    mutating func insert(_ connection: UInt64, since: UInt64) {
        positions[connection] = members.count
        members.append((connection, since))
    }

    mutating func remove(_ connection: UInt64) {
        guard let position = positions.removeValue(forKey: connection) else { return }
        let last = members.removeLast()
        guard last.connection != connection else { return }
        members[position] = last
        positions[last.connection] = position
    }

    /// The one that has waited longest.
    var oldest: UInt64? { members.min { $0.since < $1.since }?.connection }

    /// The one among a few random connections that has waited longest.
    ///
    /// A request that makes progress is one of the newest, so this spares it more often than a single random choice.
    var oldestOfSome: UInt64? {
        (0..<Self.sample).compactMap { _ in members.randomElement() }.min { $0.since < $1.since }?.connection
    }
}
