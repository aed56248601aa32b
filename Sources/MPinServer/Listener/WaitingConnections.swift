// SPDX-License-Identifier: Apache-2.0

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
