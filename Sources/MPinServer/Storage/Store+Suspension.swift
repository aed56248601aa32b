internal import GRDB

/// That an administrator has revoked a user, and not only what the user had then.
struct Suspension: Sendable {
    let time: Timestamp
    let reason: String?
    /// Which revocation of the user it was, by its number in the registrations that it took along.
    let revocation: Int

    init(_ row: Row) {
        time = Timestamp(seconds: row["time"])
        reason = row["reason"]
        revocation = row["revocation"]
    }
}

extension Store {
    /// The condition under which a registration may get any further: nobody is suspended who may be its user, or an
    /// administrator has let this one in by an invitation.
    static let isAdmitted = """
        (registration.invited OR NOT EXISTS (
            SELECT 1 FROM suspension WHERE suspension.user = registration.user
                OR mailbox(suspension.user) = mailbox(registration.user)
        ))
        """

    /// The mailbox that a user ID names, in one spelling, for statements; NULL for other user IDs.
    static let mailbox = DatabaseFunction("mailbox", argumentCount: 1, pure: true) { values in
        values.first.flatMap { String.fromDatabaseValue($0) }.flatMap { MailAddress($0)?.mailbox }
    }

    /// Why nobody may register in this name without an invitation: the user is suspended, or one is with the same
    /// mailbox in another spelling, who would read the mails.
    func barrier(for user: String) throws(ServerFault) -> Suspension? {
        try read { try Self.barrier(for: user, in: $0) }
    }

    static func barrier(for user: String, in database: Database) throws -> Suspension? {
        try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT time, reason, revocation FROM suspension
                    WHERE user = :user OR mailbox(user) = mailbox(:user) LIMIT 1
                    """),
            arguments: ["user": user]
        ).map { Suspension($0) }
    }

    /// The suspension of exactly this user.

    static func suspension(of user: String, in database: Database) throws -> Suspension? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT time, reason, revocation FROM suspension WHERE user = ?"),
            arguments: [user]
        ).map { Suspension($0) }
    }
}
