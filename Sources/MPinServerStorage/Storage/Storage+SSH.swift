// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

/// What a user may have in a certificate, and the device that asks for it.
package struct SSHGrant: Sendable {
    /// The accounts on hosts, in alphabetical order.
    package let accounts: [String]
    package let device: Int
    package let deviceName: String
}

extension ServerStorage {
    /// Stores a CA.
    ///
    /// - Parameter sealed: both halves of its key.
    /// - Returns: false if there is one, which stays.
    package func addSSHAuthority(_ sealed: [UInt8], event: AuditEvent) throws(ServerError) -> Bool {
        try write { connection in
            try connection.execute(
                "INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING",
                [SealedSecret.sshAuthority.rawValue, HexText(bytes: sealed).string])
            guard connection.changesCount > 0 else { return false }
            try Self.record([event], in: connection)
            return true
        }
    }

    /// Deletes the CA. The users' grants stay.
    package func removeSSHAuthority(event: AuditEvent) throws(ServerError) -> Bool {
        try overwriteDeleted()
        let isRemoved = try write { connection in
            try connection.execute(
                "DELETE FROM setting WHERE name = ?", [SealedSecret.sshAuthority.rawValue])
            guard connection.changesCount > 0 else { return false }
            try Self.record([event], in: connection)
            return true
        }
        finishOverwriting()
        return isRemoved
    }

    /// Lets a user log in over ssh as these accounts, and as no other.
    package func setSSHAccounts(_ accounts: [String], of user: String, event: AuditEvent) throws(ServerError) {
        try write { connection in
            try connection.execute("DELETE FROM ssh_account WHERE user_id = ?", [user])
            for account in accounts {
                try connection.execute(
                    "INSERT INTO ssh_account (user_id, account) VALUES (?, ?) ON CONFLICT DO NOTHING", [user, account])
            }
            try Self.record([event], in: connection)
        }
    }

    /// - Returns: whether the user had any account.
    package func removeSSHAccounts(of user: String, event: AuditEvent) throws(ServerError) -> Bool {
        try write { connection in
            try connection.execute("DELETE FROM ssh_account WHERE user_id = ?", [user])
            guard connection.changesCount > 0 else { return false }
            try Self.record([event], in: connection)
            return true
        }
    }

    /// The users who may log in over ssh, with their accounts, in alphabetical order.
    package func sshAccounts() throws(ServerError) -> [(user: String, accounts: [String])] {
        try read { connection in
            var grants: [(user: String, accounts: [String])] = []
            for row in try connection.rows("SELECT user_id, account FROM ssh_account ORDER BY user_id, account") {
                if try grants.last?.user != row["user_id"] { grants.append((try row["user_id"], [])) }
                grants[grants.count - 1].accounts.append(try row["account"])
            }
            return grants
        }
    }

    /// Makes a certificate and records it. Everything that it depends on is read in the same transaction, so that none is
    /// issued after a change, and none without its event.
    ///
    /// - Parameters:
    ///   - registration: the hash of the M-Pin ID that has logged in.
    ///   - make: makes the certificate, with the sealed key of the CA, and its event. May be called more than once.
    /// - Returns: nil if there is no CA, if the user has no account, or if the user is suspended or the device revoked.
    package func recordSSHCertificate(
        of user: String, registration: [UInt8],
        _ make: @escaping @Sendable (SSHGrant, _ authority: [UInt8]) throws -> (certificate: String, event: AuditEvent)
    ) throws(ServerError) -> String? {
        try writeLogin(.disk) { connection in
            let sealed = try Self.setting(SealedSecret.sshAuthority.rawValue, in: connection)
            guard let authority = sealed.flatMap({ Hex.decode(Array($0.utf8).span) }),
                try Self.suspension(barring: user, in: connection) == nil
            else { return nil }
            let accounts =
                try connection.values(
                    "SELECT account FROM ssh_account WHERE user_id = ? ORDER BY account", [user]) as [String]
            let device = try connection.row(
                """
                SELECT number, device FROM registration
                WHERE hash = ? AND user_id = ? AND state = ? AND revoked IS NULL
                """, [registration, user, RegistrationEntry.State.registered.rawValue])
            guard !accounts.isEmpty, let device else { return nil }
            let grant = try SSHGrant(accounts: accounts, device: device["number"], deviceName: device["device"])
            let (certificate, event) = try make(grant, authority)
            try Self.record([event], in: connection)
            return certificate
        }
    }
}
