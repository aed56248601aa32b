internal import Foundation
internal import GRDB

extension Store {
    /// All users, or the one of that name, in the order of their names.
    ///
    /// - Parameter limit: wrong PINs after which a registration counts as blocked.
    func users(named name: String?, limit: Int, now: Int64) throws(ServerFault) -> [UserRecord] {
        try read { database in
            // By bytes, as the database has them: two spellings of one letter are two users.
            var devices: [[UInt8]: [UserRecord.Device]] = [:]
            var invitations: [[UInt8]: [Moment]] = [:]
            for row in try Row.fetchAll(
                database,
                sql: "SELECT \(Registration.columns) FROM registration WHERE ? IS NULL OR user = ? ORDER BY id",
                arguments: [name, name])
            {
                let registration = try Registration(row)
                guard let device = UserRecord.Device(registration, limit: limit, now: now) else { continue }
                devices[Array(registration.user.utf8), default: []].append(device)
            }
            for row in try Row.fetchAll(
                database,
                sql: """
                    SELECT user, expires FROM invitation
                    WHERE (? IS NULL OR user = ?) AND used IS NULL AND expires > ? ORDER BY expires
                    """,
                arguments: [name, name, now])
            {
                invitations[Array((row["user"] as String).utf8), default: []].append(Moment(seconds: row["expires"]))
            }
            return Set(devices.keys).union(invitations.keys).sorted { $0.lexicographicallyPrecedes($1) }
                .map {
                    UserRecord(
                        user: String(decoding: $0, as: UTF8.self), devices: devices[$0] ?? [],
                        invitations: invitations[$0] ?? [])
                }
        }
    }

    /// Forgets the wrong PINs of a user. Nil when there is no such user, otherwise how many devices were blocked and are
    /// not revoked.
    func unblock(_ user: String, limit: Int, event: AuditEvent) throws(ServerFault) -> Int? {
        try write { database -> Int? in
            guard try Self.exists(user, in: database) else { return nil }
            let blocked =
                try Int.fetchOne(
                    database,
                    sql: """
                        SELECT count(*) FROM registration WHERE user = ? AND failures >= ? AND revoked IS NULL
                        """,
                    arguments: [user, limit]) ?? 0
            try database.execute(sql: "UPDATE registration SET failures = 0 WHERE user = ?", arguments: [user])
            // What is being judged now is no wrong PIN yet.
            try database.execute(
                sql: """
                    DELETE FROM attempt
                    WHERE wrong = 1 AND registration IN (SELECT id FROM registration WHERE user = ?)
                    """,
                arguments: [user])
            try Self.record([event], in: database)
            return blocked
        }
    }

    /// Revokes every registration and invitation that a user has now. Nil when there is no such user.
    func revokeAll(_ user: String, reason: String?, now: Int64, event: AuditEvent) throws(ServerFault) -> Int? {
        try write { database -> Int? in
            guard try Self.exists(user, in: database) else { return nil }
            try database.execute(
                sql: """
                    UPDATE registration SET revoked = ?, revoker = 'admin', reason = ? WHERE user = ? AND revoked IS NULL
                    """,
                arguments: [now, reason, user])
            let count = database.changesCount
            try database.execute(sql: "DELETE FROM invitation WHERE user = ?", arguments: [user])
            try Self.record([event], in: database)
            return count
        }
    }

    /// Takes an administrator's revocation back; what the user revoked stays revoked. Nil when there is no such user.
    func restoreAll(_ user: String, event: AuditEvent) throws(ServerFault) -> Int? {
        try write { database -> Int? in
            guard try Self.exists(user, in: database) else { return nil }
            try database.execute(
                sql: """
                    UPDATE registration SET revoked = NULL, revoker = NULL, reason = NULL
                    WHERE user = ? AND revoked IS NOT NULL AND revoker = 'admin'
                    """,
                arguments: [user])
            let count = database.changesCount
            try Self.record([event], in: database)
            return count
        }
    }

    private static func exists(_ user: String, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (SELECT 1 FROM registration WHERE user = ?)
                    OR EXISTS (SELECT 1 FROM invitation WHERE user = ?)
                """,
            arguments: [user, user]) ?? false
    }
}

extension UserRecord.Device {
    /// Nil for a registration whose secret was never fetched and never will be, and for one that another has replaced.
    init?(_ registration: Registration, limit: Int, now: Int64) {
        if registration.revoker == "replaced" { return nil }
        if registration.state != .registered, registration.expires <= now { return nil }
        let state: UserStanding =
            if registration.revoked != nil {
                .revoked
            } else {
                switch registration.state {
                case .held: .started
                case .activated: .activated
                case .registered where registration.failures >= limit: .blocked
                // Its secret was fetched: by somebody who may still be choosing a PIN, or has given up.
                case .registered where registration.confirmed == nil:
                    registration.expires > now ? .activated : .lapsed
                case .registered: .registered
                }
            }
        self.init(
            number: registration.id, name: registration.device, state: state,
            created: Moment(seconds: registration.created),
            registered: registration.delivered.map { Moment(seconds: $0) }, failures: registration.failures,
            isProven: registration.confirmed != nil, revoked: registration.revoked.map { Moment(seconds: $0) },
            reason: registration.reason,
            userData: registration.userData)
    }
}
