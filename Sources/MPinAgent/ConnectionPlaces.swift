/// How many connections the agent serves at once, in all and for one user.
///
/// Judged before a worker is started. What other users hold leaves places for root, so that a flood keeps no system
/// login out, and a user's own flood keeps nobody out but that user. That user's containers are one user more.
package struct ConnectionPlaces {
    /// How many workers there are at most.
    package static let all = 64
    /// How many of these only root's connections may take.
    package static let forRoot = 8
    /// How many one user other than root may take.
    package static let forUser = 4

    /// Stands for all subordinate user IDs together, which one person may have thousands of. It is no user ID: the kernel keeps
    /// it for "none".
    package static let containers = UInt32.max

    private var users: [Int32: UInt32] = [:]

    package init() {}

    package var isEmpty: Bool { users.isEmpty }

    /// Whether a connection of this user may be served.
    package func hasRoom(for user: UInt32) -> Bool {
        if user == 0 { return users.count < Self.all }
        guard users.count < Self.all - Self.forRoot else { return false }
        var own = 0
        for other in users.values where other == user { own += 1 }
        return own < Self.forUser
    }

    /// Takes a place for a worker.
    package mutating func take(_ worker: Int32, for user: UInt32) { users[worker] = user }

    /// Gives the place of a worker back that has ended.
    package mutating func free(_ worker: Int32) { users[worker] = nil }
}
