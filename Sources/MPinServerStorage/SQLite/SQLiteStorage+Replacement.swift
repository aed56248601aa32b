// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB

extension SQLiteStorage {
    package func replaceRegistration(_ old: [UInt8], by new: NewRegistration, event: AuditEvent) throws(ServerError)
        -> Int?
    {
        try write { database -> Int? in
            try database.execute(
                sql: """
                    UPDATE registration SET revoked = :now, revoker = :replaced, reason = NULL
                    WHERE hash = :old AND state = :registered AND revoked IS NULL AND expires > :now
                        AND deviceKey = :deviceKey AND confirmed IS NULL AND wrong = 0 AND \(Self.isAdmitted)
                        AND NOT EXISTS (SELECT 1 FROM attempt WHERE attempt.registration = registration.id)
                    """,
                arguments: [
                    "now": new.created, "replaced": UserRecord.Revoker.replaced, "old": Data(old),
                    "registered": RegistrationRecord.State.registered.rawValue,
                    "deviceKey": new.deviceKey.map { Data($0) },
                ])
            guard database.changesCount == 1 else { return nil }
            let number = try Self.nextNumber(of: new.user, in: database)
            try database.execute(
                sql: """
                    INSERT INTO registration (
                        hash, number, user, device, mobile, state, ott, created, expires, userData, invited, deviceKey
                    ) SELECT :new, :number, user, :device, :mobile, :state, :ott, :created, :expires,
                        coalesce(:userData, userData), invited, deviceKey
                    FROM registration WHERE hash = :old
                    """,
                arguments: [
                    "new": Data(new.hash), "number": number, "device": new.device, "mobile": new.mobile,
                    "state": new.state.rawValue, "ott": Data(new.ott), "created": new.created, "expires": new.expires,
                    "userData": new.userData, "old": Data(old),
                ])
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
            return number
        }
    }
}
