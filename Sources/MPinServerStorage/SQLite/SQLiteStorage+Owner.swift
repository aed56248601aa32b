// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB

/// The changes that users make to their own registrations.
extension SQLiteStorage {
    package func revokeOwnDevice(_ device: Int, of user: String, now: Int64, event: AuditEvent) throws(ServerError)
        -> Int?
    {
        try write { database -> Int? in
            let hash = try Data.fetchOne(
                database,
                sql: """
                    UPDATE registration SET revoked = :now, revoker = :owner, reason = NULL
                    WHERE user = :user AND number = :device AND \(Self.isShown) AND revoked IS NULL RETURNING hash
                    """,
                arguments: ["now": now, "owner": UserRecord.Revoker.owner, "user": user, "device": device])
            if let hash {
                try Self.endCodes(by: hash, now: now, in: database)
                try Self.record([event], in: database)
                return device
            }
            return try Int.fetchOne(
                database,
                sql: "SELECT number FROM registration WHERE user = :user AND number = :device AND \(Self.isShown)",
                arguments: ["user": user, "device": device, "now": now])
        }
    }
}
