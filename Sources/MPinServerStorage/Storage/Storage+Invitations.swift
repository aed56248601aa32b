// SPDX-License-Identifier: Apache-2.0

extension ServerStorage {
    /// Stores invitations by an administrator: all or none.
    package func addInvitations(
        _ all: [(code: SealedCode, user: String, event: AuditEvent)], now: Int64, expires: Int64
    ) throws(ServerError) {
        try write { connection in
            for (code, user, event) in all {
                try Self.add(code, user: user, now: now, expires: expires, maker: nil, event: event, in: connection)
            }
        }
    }

    /// Stores an invitation that a user has made. It replaces an earlier unused one by the same maker.
    ///
    /// - Parameter maker: the hash of the registration whose owner made it.
    /// - Returns: false, and nothing changed, if the maker may no longer make codes.
    package func addInvitation(
        _ code: SealedCode, user: String, now: Int64, expires: Int64, maker: [UInt8], event: AuditEvent
    ) throws(ServerError) -> Bool {
        try write { connection in
            guard try Self.mayMakeCodes(maker, of: user, in: connection) else { return false }
            try connection.execute(
                "DELETE FROM invitation WHERE maker = ? AND used IS NULL", [maker])
            try Self.add(code, user: user, now: now, expires: expires, maker: maker, event: event, in: connection)
            return true
        }
    }

    private static func add(
        _ code: SealedCode, user: String, now: Int64, expires: Int64, maker: [UInt8]?, event: AuditEvent,
        in connection: any Connection
    ) throws {
        try connection.execute("DELETE FROM invitation WHERE expires <= ?", [now])
        try connection.execute(
            "INSERT INTO invitation (code, key, user_id, created, expires, maker) VALUES (?, ?, ?, ?, ?, ?)",
            [code.hash, code.key, user, now, expires, maker])
        try record([event], in: connection)
    }

    /// The condition under which an invitation can still enroll a device, as ``redeemInvitation(_:user:for:key:at:source:in:)``
    /// decides. A used one can, until the registration that it made logs in.
    private static let isPending = """
        expires > :now AND (used IS NULL OR NOT EXISTS (
            SELECT 1 FROM registration WHERE registration.hash = invitation.registration
                AND (registration.confirmed IS NOT NULL OR registration.revoked IS NOT NULL)
        ))
        """

    /// The invitations that can still enroll a device, in the order of their users.
    package func pendingInvitations(now: Int64) throws(ServerError) -> [PendingInvitation] {
        try read { connection in
            try connection.rows(
                """
                SELECT user_id, created, expires, maker IS NOT NULL AS is_owners FROM invitation
                WHERE \(Self.isPending) ORDER BY user_id, expires
                """, ["now": now]
            ).map { row in
                try PendingInvitation(
                    user: row["user_id"], created: Timestamp(seconds: row["created"]),
                    expires: Timestamp(seconds: row["expires"]), isByOwner: row["is_owners"])
            }
        }
    }

    /// Deletes the pending invitations of users, and revokes the registrations that they made and that never logged in.
    ///
    /// - Parameter event: the event for a user, with the number of invitations.
    /// - Returns: the number of invitations of each user. If one of them has none, nothing has changed.
    package func cancelInvitations(
        of users: [String], now: Int64, event: @Sendable (String, Int) -> AuditEvent
    ) throws(ServerError) -> [Int] {
        try write { connection in
            let counts = try users.map { user in
                try connection.value(
                    "SELECT count(*) FROM invitation WHERE user_id = :user AND \(Self.isPending)",
                    ["user": user, "now": now]) ?? 0
            }
            guard counts.allSatisfy({ $0 > 0 }) else { return counts }
            for (user, count) in zip(users, counts) {
                try Self.revokeUnfinished(
                    "hash IN (SELECT registration FROM invitation WHERE user_id = :user)", ["user": user], now: now,
                    in: connection)
                try connection.execute("DELETE FROM invitation WHERE user_id = ?", [user])
                try Self.record([event(user, count)], in: connection)
            }
            return counts
        }
    }

    /// The invitation with a hash, used or not; nil if there is none.
    package func invitation(_ hash: [UInt8]) throws(ServerError) -> SealedCode? {
        try readOnce { connection in
            try connection.value("SELECT key FROM invitation WHERE code = ?", [hash])
                .map { SealedCode(hash: hash, key: $0) }
        }
    }

    /// The registration whose owner made an invitation; nil if an administrator made it.
    static func maker(ofInvitation code: [UInt8], in connection: any Connection) throws -> [UInt8]? {
        try connection.value("SELECT maker FROM invitation WHERE code = ? AND maker IS NOT NULL", [code])
    }

    /// Consumes an invitation for a registration, inside a transaction.
    ///
    /// A used code is valid once more for the same user as long as the registration that it made has never logged in,
    /// so that an interrupted enrollment can be repeated. The earlier registration is revoked then, so that no code
    /// leads to two registrations that can log in. A device that repeats it has another key: the request with the same
    /// key may be a copy that an attacker sends.
    /// - Parameters:
    ///   - hash: the registration that the code makes now.
    ///   - key: its device key; nil if it has none, or if it was made before.
    /// - Returns: whether the code is valid for this user now. If not, nothing has changed.
    static func redeemInvitation(
        _ code: [UInt8], user: String, for hash: [UInt8], key: [UInt8]?, at now: Timestamp, source: String?,
        in connection: any Connection
    ) throws -> Bool {
        try connection.execute(
            """
            UPDATE invitation SET used = ?, registration = ?
            WHERE code = ? AND user_id = ? AND used IS NULL AND expires > ?
            """, [now.seconds, hash, code, user, now.seconds])
        if connection.changesCount == 1 { return true }
        if let key, try hasRegistered(key, user: user, in: connection) { return false }
        return try connection.undoingNil {
            try replace(code, user: user, by: hash, at: now, source: source, in: connection) ? true : nil
        } ?? false
    }

    /// Whether a user has a registration with a device key, or had one that was revoked.
    private static func hasRegistered(_ key: [UInt8], user: String, in connection: any Connection) throws -> Bool {
        try connection.exists("registration WHERE user_id = ? AND device_key = ?", [user, key])
    }

    /// Revokes the registration that a used code made, and assigns the code to the new one.
    ///
    /// - Returns: false if the code is not valid for this user now, or if the registration that it made has logged in
    ///   or was revoked. Then the caller has to undo the changes.
    private static func replace(
        _ code: [UInt8], user: String, by hash: [UInt8], at now: Timestamp, source: String?,
        in connection: any Connection
    ) throws -> Bool {
        try connection.execute(
            """
            UPDATE registration SET revoked = :now, revoker = :replaced, reason = NULL
            WHERE hash = (
                SELECT registration FROM invitation
                WHERE code = :code AND user_id = :user AND used IS NOT NULL AND expires > :now
            ) AND user_id = :user AND confirmed IS NULL AND revoked IS NULL
            """,
            [
                "now": now.seconds, "replaced": UserRecord.Revoker.replaced, "code": code, "user": user,
            ])
        let isReplaced = connection.changesCount == 1
        // An unfinished registration may have been purged.
        try connection.execute(
            """
            UPDATE invitation SET registration = :hash
            WHERE code = :code AND user_id = :user AND used IS NOT NULL AND registration IS NOT NULL AND expires > :now
                AND (
                    :isReplaced OR NOT EXISTS (
                        SELECT 1 FROM registration WHERE registration.hash = invitation.registration
                    )
                )
            """,
            [
                "hash": hash, "code": code, "user": user, "now": now.seconds, "isReplaced": isReplaced,
            ])
        guard connection.changesCount == 1 else { return false }
        if isReplaced { try record([AuditEvent(.replaced, at: now, user: user, source: source)], in: connection) }
        return true
    }
}

/// An invitation that can still enroll a device. The server does not know its code.
package struct PendingInvitation: Sendable {
    package let user: String
    package let created: Timestamp
    package let expires: Timestamp
    /// Whether the user has made it for another device, and not an administrator.
    package let isByOwner: Bool
}
