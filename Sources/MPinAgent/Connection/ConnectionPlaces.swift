// SPDX-License-Identifier: Apache-2.0

/// How many connections the agent serves at the same time, in total and for one user.
///
/// It is checked before a worker is started. Other users cannot take the places reserved for root, so a flood blocks no
/// system login; and a user's own flood blocks only that user. All containers together count as one more user.
package struct ConnectionPlaces {
    /// How many workers there are at most.
    package static let all = 64
    /// How many of these are reserved for root's connections.
    package static let forRoot = 8
    /// How many connections one user other than root may have.
    package static let forUser = 4

    /// Stands for all subordinate user IDs together, because one user may have thousands of them. It is not a user ID:
    /// the kernel reserves it for "none".
    package static let containers = UInt32.max

    private var users: [Int32: UInt32] = [:]

    package init() {}

    package var isEmpty: Bool { users.isEmpty }

    package func hasRoom(for user: UInt32) -> Bool {
        if user == 0 { return users.count < Self.all }
        guard users.count < Self.all - Self.forRoot else { return false }
        var own = 0
        for other in users.values where other == user { own += 1 }
        return own < Self.forUser
    }

    package mutating func take(_ worker: Int32, for user: UInt32) { users[worker] = user }

    /// - Returns: its user; nil if it had no place.
    @discardableResult package mutating func free(_ worker: Int32) -> UInt32? { users.removeValue(forKey: worker) }
}
