// SPDX-License-Identifier: Apache-2.0

extension ServerStorage {
    /// Whether a registration without a device key is in force.
    package func hasDevicesWithoutKey() throws(ServerError) -> Bool {
        try read { connection in
            try connection.exists(
                "registration WHERE state = ? AND revoked IS NULL AND device_key IS NULL",
                [RegistrationEntry.State.registered.rawValue])
        }
    }

    package func users(named name: String?, limits: AttemptLimits, now: Int64) throws(ServerError) -> [UserRecord] {
        try read { connection in
            // Compared by bytes, as in the database: two spellings of one letter are two users.
            var devices: [[UInt8]: [UserRecord.Device]] = [:]
            var invitations: [[UInt8]: [Timestamp]] = [:]
            var suspensions: [[UInt8]: Suspension] = [:]
            for row in try connection.rows(
                """
                SELECT \(RegistrationEntry.columns), \(Self.recentWrong) AS recent FROM registration
                WHERE (:user IS NULL OR user_id = :user) AND \(Self.isShown) ORDER BY id
                """, ["start": limits.start(at: now), "user": name, "now": now])
            {
                let registration = try RegistrationEntry(row)
                let device = try UserRecord.Device(registration, recent: row["recent"], limits: limits, now: now)
                devices[Array(registration.user.utf8), default: []].append(device)
            }
            for row in try connection.rows(
                """
                SELECT user_id, expires FROM invitation
                WHERE (? IS NULL OR user_id = ?) AND used IS NULL AND expires > ? ORDER BY expires
                """, [name, name, now])
            {
                try invitations[Array((row["user_id"] as String).utf8), default: []].append(
                    Timestamp(seconds: row["expires"]))
            }
            for row in try connection.rows("SELECT * FROM suspension WHERE ? IS NULL OR user_id = ?", [name, name]) {
                try suspensions[Array((row["user_id"] as String).utf8)] = Suspension(row)
            }
            var backupCodes: [[UInt8]: Int] = [:]
            for row in try connection.rows(
                """
                SELECT user_id, count(*) AS count FROM backup_code
                WHERE (? IS NULL OR user_id = ?) AND confirmed IS NOT NULL AND used IS NULL GROUP BY user_id
                """,
                [name, name])
            {
                try backupCodes[Array((row["user_id"] as String).utf8)] = row["count"]
            }
            return Set(devices.keys).union(invitations.keys).union(suspensions.keys)
                .sorted { $0.lexicographicallyPrecedes($1) }
                .map { user in
                    UserRecord(
                        user: String(decoding: user, as: UTF8.self), devices: devices[user] ?? [],
                        invitations: invitations[user] ?? [], backupCodes: backupCodes[user] ?? 0,
                        suspended: suspensions[user]?.time, reason: suspensions[user]?.reason)
                }
        }
    }

    package func blockedUsers(limits: AttemptLimits, now: Int64) throws(ServerError) -> Int {
        try readOnce { connection in
            try connection.value(
                """
                SELECT count(DISTINCT user_id) FROM registration
                WHERE state = :registered AND revoked IS NULL
                    AND (failures >= :inARow OR \(Self.recentWrong) >= :recent)
                """,
                [
                    "registered": RegistrationEntry.State.registered.rawValue, "inARow": limits.inARow,
                    "recent": limits.recent, "start": limits.start(at: now),
                ]) ?? 0
        }
    }

    /// The number of wrong PINs of a registration after `:start`.
    static let recentWrong = """
        (
            SELECT count(*) FROM attempt
            WHERE attempt.registration = registration.id AND attempt.wrong = 1 AND attempt.time > :start
        )
        """
}

extension UserRecord.Device {
    init(_ registration: RegistrationEntry, recent: Int, limits: AttemptLimits, now: Int64) {
        let state: AccountState =
            if registration.revoked != nil { .revoked } else {
                switch registration.state {
                case .held: .started
                case .activated: .activated
                case .registered where limits.left(inARow: registration.failures, recent: recent) == 0: .blocked
                // The secret was fetched. The client may still be setting a PIN, or the user may have given up.
                case .registered where registration.confirmed == nil: registration.expires > now ? .activated : .lapsed
                case .registered: .registered
                }
            }
        self.init(
            number: registration.number, name: registration.device, state: state,
            created: Timestamp(seconds: registration.created),
            registered: registration.delivered.map { Timestamp(seconds: $0) }, failures: registration.failures,
            wrongSinceLastLogin: max(0, registration.wrong &- registration.seen), recentWrong: recent,
            attemptsLeft: limits.left(inARow: registration.failures, recent: recent),
            isProven: registration.confirmed != nil, revoked: registration.revoked.map { Timestamp(seconds: $0) },
            reason: registration.reason, revoker: registration.revoker, userData: registration.userData,
            hasDeviceKey: registration.deviceKey != nil)
    }
}

extension ServerStorage {
    /// The condition under which a registration may proceed: neither its user nor another user ID of the same mailbox
    /// is suspended, or an administrator has admitted this registration by an invitation.
    static let isAdmitted = """
        (registration.invited = 1 OR NOT EXISTS (
            SELECT 1 FROM suspension
            WHERE suspension.user_id = registration.user_id OR suspension.mailbox = registration.mailbox
        ))
        """

    /// The mailbox that a user ID names, in a normalized form; nil for other user IDs.
    static func mailbox(of user: String) -> String? { MailAddress(user)?.mailbox }

    /// The suspension because of which this user ID needs an invitation to register: of the user, or of another user ID
    /// of the same mailbox, whose owner would read the mails.
    package func suspension(barring user: String) throws(ServerError) -> Suspension? {
        try read { try Self.suspension(barring: user, in: $0) }
    }

    static func suspension(barring user: String, in connection: any Connection) throws -> Suspension? {
        try connection.row(
            "SELECT time, reason FROM suspension WHERE user_id = :user OR mailbox = :mailbox LIMIT 1",
            ["user": user, "mailbox": mailbox(of: user)]
        ).map { try Suspension($0) }
    }

}

extension Suspension {
    init(_ row: Row) throws {
        time = try Timestamp(seconds: row["time"])
        reason = try row["reason"]
    }
}
