// SPDX-License-Identifier: Apache-2.0
internal import GRDB

extension SQLiteStorage {
    /// The condition under which a registration may proceed: neither its user nor another user ID of the same mailbox
    /// is suspended, or an administrator has admitted this registration by an invitation.
    static let isAdmitted = """
        (registration.invited OR NOT EXISTS (
            SELECT 1 FROM suspension WHERE suspension.user = registration.user
                OR mailbox(suspension.user) = mailbox(registration.user)
        ))
        """

    /// The mailbox that a user ID names, in a normalized form, for statements; NULL for other user IDs.
    static let mailbox = DatabaseFunction("mailbox", argumentCount: 1, pure: true) { values in
        values.first.flatMap { String.fromDatabaseValue($0) }.flatMap { MailAddress($0)?.mailbox }
    }

    /// The suspension because of which this user ID needs an invitation to register: of the user, or of another user ID
    /// of the same mailbox, whose owner would read the mails.
    package func suspension(barring user: String) throws(ServerError) -> Suspension? {
        try read { try Self.suspension(barring: user, in: $0) }
    }

    static func suspension(barring user: String, in database: Database) throws -> Suspension? {
        try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT time, reason FROM suspension
                    WHERE user = :user OR mailbox(user) = mailbox(:user) LIMIT 1
                    """), arguments: ["user": user]
        ).map { Suspension($0) }
    }

}

extension Suspension {
    init(_ row: Row) {
        time = Timestamp(seconds: row["time"])
        reason = row["reason"]
    }
}
