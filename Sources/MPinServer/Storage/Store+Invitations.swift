internal import Foundation
internal import GRDB

extension Store {
    /// Keeps an invitation.
    ///
    /// - Parameter code: the keyed hash of its code.
    func invite(_ code: [UInt8], user: String, now: Int64, expires: Int64, event: AuditEvent) throws(ServerFault) {
        try write { database in
            try database.execute(sql: "DELETE FROM invitation WHERE expires <= ?", arguments: [now])
            try database.execute(
                sql: "INSERT INTO invitation (code, user, created, expires) VALUES (?, ?, ?, ?)",
                arguments: [Data(code), user, now, expires])
            try Self.record([event], in: database)
        }
    }

    /// Uses up an invitation for a registration, inside a transaction.
    ///
    /// A code that was used already is good once more for the same user while the registration that it made has never
    /// logged in: an enrolment that was cut short begins again so. The registration that it made is revoked then, so
    /// that no code ever leads to two that can log in.
    /// - Parameters:
    ///   - hash: the registration that the code makes now.
    ///   - source: where it is made from, for the audit log.
    /// - Returns: whether the code is good for this user now. If not, nothing has changed.
    static func use(
        _ code: [UInt8], user: String, for hash: [UInt8], at now: Timestamp, source: String?, in database: Database
    ) throws -> Bool {
        try database.execute(
            sql: """
                UPDATE invitation SET used = ?, registration = ?
                WHERE code = ? AND user = ? AND used IS NULL AND expires > ?
                """,
            arguments: [now.seconds, Data(hash), Data(code), user, now.seconds])
        if database.changesCount == 1 { return true }
        let previous = try Data.fetchOne(
            database,
            sql: """
                SELECT registration FROM invitation
                WHERE code = ? AND user = ? AND used IS NOT NULL AND registration IS NOT NULL AND expires > ?
                """,
            arguments: [Data(code), user, now.seconds])
        guard let previous, try replace(Array(previous), user: user, at: now, source: source, in: database) else {
            return false
        }
        try database.execute(
            sql: "UPDATE invitation SET registration = ? WHERE code = ?", arguments: [Data(hash), Data(code)])
        return true
    }

    /// Takes a registration out of force for the one that its code makes anew.
    ///
    /// - Returns: false, and nothing changed, when it has logged in or was revoked.
    private static func replace(
        _ hash: [UInt8], user: String, at now: Timestamp, source: String?, in database: Database
    ) throws -> Bool {
        // An unfinished one may have been purged.
        guard let old = try registration(hash, in: database) else { return true }
        guard old.confirmed == nil, old.revoked == nil, old.user.utf8.elementsEqual(user.utf8) else { return false }
        try database.execute(
            sql: "UPDATE registration SET revoked = ?, revoker = 'replaced', reason = NULL WHERE id = ?",
            arguments: [now.seconds, old.id])
        try record(
            [AuditEvent(.replaced, at: now, user: user, source: source, detail: "had never logged in")], in: database)
        return true
    }
}
