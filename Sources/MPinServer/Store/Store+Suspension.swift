internal import GRDB

/// That an administrator has revoked a user, and not only what the user had then.
struct Suspension: Sendable {
    let time: Moment
    let reason: String?
    /// Which revocation of the user it was, by its number in the registrations that it took along.
    let revocation: Int

    init(_ row: Row) {
        time = Moment(seconds: row["time"])
        reason = row["reason"]
        revocation = row["revocation"]
    }
}

extension Store {
    /// The condition under which a registration may get any further: its user is not suspended, or an administrator has
    /// let this one in by an invitation.
    static let isAdmitted = """
        (registration.invited OR NOT EXISTS (SELECT 1 FROM suspension WHERE suspension.user = registration.user))
        """

    /// The suspension of a user; nil for everybody else.
    func suspension(of user: String) throws(ServerFault) -> Suspension? {
        try read { try Self.suspension(of: user, in: $0) }
    }

    static func suspension(of user: String, in database: Database) throws -> Suspension? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT time, reason, revocation FROM suspension WHERE user = ?"),
            arguments: [user]
        ).map { Suspension($0) }
    }
}
