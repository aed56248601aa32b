// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB

extension SQLiteStorage {
    /// Revokes a registration that has a key and was never used, not even with a wrong PIN, and replaces it with
    /// another one. The code that made the old registration then belongs to the new one, so that no code leads to two
    /// registrations.
    ///
    /// - Parameter event: an event for the audit log besides the replacement.
    /// - Returns: the number of the new registration; nil, and nothing changed, if the old one cannot be replaced.
    package func replaceRegistration(_ old: [UInt8], by new: NewRegistration, event: AuditEvent) throws(ServerError)
        -> Int?
    {
        try write { database -> Int? in
            let replaced = try Row.fetchOne(
                database,
                sql: """
                    UPDATE registration SET revoked = :now, revoker = :replaced, reason = NULL
                    WHERE hash = :old AND state = :registered AND revoked IS NULL AND expires > :now
                        AND deviceKey = :deviceKey AND confirmed IS NULL AND wrong = 0 AND \(Self.isAdmitted)
                        AND NOT EXISTS (SELECT 1 FROM attempt WHERE attempt.registration = registration.id)
                    RETURNING userData, invited
                    """,
                arguments: [
                    "now": new.created, "replaced": UserRecord.Revoker.replaced, "old": Data(old),
                    "registered": RegistrationEntry.State.registered.rawValue,
                    "deviceKey": new.deviceKey.map { Data($0) },
                ])
            guard let replaced else { return nil }
            let made = try Self.insert(
                new, isInvited: replaced["invited"], userData: new.userData ?? replaced["userData"], in: database)
            for table in ["invitation", "backupCode"] {
                try database.execute(
                    sql: "UPDATE \(table) SET registration = ? WHERE registration = ?",
                    arguments: [Data(new.hash), Data(old)])
            }
            try Self.record(
                [
                    event,
                    AuditEvent(.replaced, at: event.time, user: new.user, source: event.source),
                ], in: database)
            return made.number
        }
    }
}
