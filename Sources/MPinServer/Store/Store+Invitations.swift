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

    /// Uses up an invitation, inside a transaction.
    ///
    /// - Returns: whether there is one of this code for this user that is neither used nor over.
    static func use(_ code: [UInt8], user: String, at now: Int64, in database: Database) throws -> Bool {
        try database.execute(
            sql: "UPDATE invitation SET used = ? WHERE code = ? AND user = ? AND used IS NULL AND expires > ?",
            arguments: [now, Data(code), user, now])
        return database.changesCount == 1
    }
}
