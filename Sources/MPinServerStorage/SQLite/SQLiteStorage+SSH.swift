// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB
internal import MPinWire

/// What a user may have in a certificate, and the device that asks for it.
package struct SSHGrant: Sendable {
    /// The accounts on hosts, in alphabetical order.
    package let accounts: [String]
    package let device: Int
    package let deviceName: String
}

extension SQLiteStorage {
    /// Stores a CA.
    ///
    /// - Parameter sealed: both halves of its key.
    /// - Returns: false if there is one, which stays.
    package func addSSHAuthority(_ sealed: [UInt8], event: AuditEvent) throws(ServerError) -> Bool {
        try write { database in
            try database.execute(
                sql: "INSERT OR IGNORE INTO setting (name, value) VALUES (?, ?)",
                arguments: [SealedSecret.sshAuthority.rawValue, HexText(bytes: sealed).string])
            guard database.changesCount > 0 else { return false }
            try Self.record([event], in: database)
            return true
        }
    }

    /// Deletes the CA. The users' grants stay.
    package func removeSSHAuthority(event: AuditEvent) throws(ServerError) -> Bool {
        try overwriteDeleted()
        let isRemoved = try write { database in
            try database.execute(
                sql: "DELETE FROM setting WHERE name = ?", arguments: [SealedSecret.sshAuthority.rawValue])
            guard database.changesCount > 0 else { return false }
            try Self.record([event], in: database)
            return true
        }
        finishOverwriting()
        return isRemoved
    }

    /// Lets a user log in over ssh as these accounts, and as no other.
    package func setSSHAccounts(_ accounts: [String], of user: String, event: AuditEvent) throws(ServerError) {
        try write { database in
            try database.execute(sql: "DELETE FROM sshAccount WHERE user = ?", arguments: [user])
            for account in accounts {
                try database.execute(
                    sql: "INSERT OR IGNORE INTO sshAccount (user, account) VALUES (?, ?)", arguments: [user, account])
            }
            try Self.record([event], in: database)
        }
    }

    /// - Returns: whether the user had any account.
    package func removeSSHAccounts(of user: String, event: AuditEvent) throws(ServerError) -> Bool {
        try write { database in
            try database.execute(sql: "DELETE FROM sshAccount WHERE user = ?", arguments: [user])
            guard database.changesCount > 0 else { return false }
            try Self.record([event], in: database)
            return true
        }
    }

    /// The users who may log in over ssh, with their accounts, in alphabetical order.
    package func sshAccounts() throws(ServerError) -> [(user: String, accounts: [String])] {
        try read { database in
            var grants: [(user: String, accounts: [String])] = []
            for row in try Row.fetchAll(database, sql: "SELECT user, account FROM sshAccount ORDER BY user, account") {
                if grants.last?.user != row["user"] { grants.append((row["user"], [])) }
                grants[grants.count - 1].accounts.append(row["account"])
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
        try group.write(.disk) { database in
            let sealed = try Self.setting(SealedSecret.sshAuthority.rawValue, in: database)
            guard let authority = sealed.flatMap({ Hex.decode(Array($0.utf8).span) }),
                try Self.suspension(barring: user, in: database) == nil
            else { return nil }
            let accounts = try String.fetchAll(
                database.cachedStatement(sql: "SELECT account FROM sshAccount WHERE user = ? ORDER BY account"),
                arguments: [user])
            let device = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT number, device FROM registration
                        WHERE hash = ? AND user = ? AND state = ? AND revoked IS NULL
                        """), arguments: [Data(registration), user, RegistrationEntry.State.registered.rawValue])
            guard !accounts.isEmpty, let device else { return nil }
            let grant = SSHGrant(accounts: accounts, device: device["number"], deviceName: device["device"])
            let (certificate, event) = try make(grant, authority)
            try Self.record([event], in: database)
            return certificate
        }
    }
}
