// SPDX-License-Identifier: Apache-2.0
internal import MPinServerRoles
package import MPinServerStorage

/// The public key of the CA for ssh certificates.
package struct SSHAuthorityKey: Sendable {
    /// The line of a file of trusted keys.
    package let line: String
    package let fingerprint: String

    init(_ authority: borrowing SSHAuthority) throws(ServerError) {
        (line, fingerprint) = (authority.line, try authority.fingerprint())
    }
}

/// Logins on other hosts with ssh certificates that this server signs.
extension Administrator {
    /// The longest name of an account, as useradd allows it.
    private static let longestAccount = 32
    /// The most accounts of a user, so that a certificate stays short.
    private static let mostAccounts = 32
    /// The highest value of `ssh_certificate_seconds`.
    private static let longestCertificate: Int64 = 86_400

    /// The CA's key.
    ///
    /// - Throws: ``ServerError`` if there is no CA, or if it is damaged.
    package func sshKey() throws(ServerError) -> SSHAuthorityKey {
        guard let sealed = try store.sealedSecret(.sshAuthority) else { throw Self.noSSHAuthority }
        return try SSHAuthorityKey(vault.sshAuthority(sealed))
    }

    package func hasSSHAuthority() throws(ServerError) -> Bool { try store.sealedSecret(.sshAuthority) != nil }

    /// Makes the CA, unless there is one.
    package func enableSSH() throws(ServerError) -> (key: SSHAuthorityKey, isNew: Bool) {
        let new = try SSHAuthority.generate()
        let isNew = try store.addSSHAuthority(
            try new.sealed(by: vault.root),
            event: AuditEvent(.sshEnabled(fingerprint: try new.fingerprint()), at: clock.now, actor: actor))
        return (isNew ? try SSHAuthorityKey(new) : try sshKey(), isNew)
    }

    /// Deletes the CA. The accounts of the users stay, and the next CA uses them.
    package func disableSSH() throws(ServerError) {
        let event = AuditEvent(.sshDisabled, at: clock.now, actor: actor)
        guard try store.removeSSHAuthority(event: event) else { throw Self.noSSHAuthority }
    }

    /// Lets a user log in over ssh, as these accounts and no others.
    ///
    /// - Parameter accounts: their names; none for the account with the user's name.
    /// - Returns: the names.
    package func allowSSH(_ user: String, accounts: [String]) throws(ServerError) -> [String] {
        guard UserName.isValid(user) else {
            throw ServerError(.badInput, "the user ID is not valid", hint: Self.nameRule)
        }
        if accounts.isEmpty, !Self.isAccount(user) {
            throw ServerError(
                .badInput, "\(user) is not the name of an account", hint: "Add the accounts: --account NAME")
        }
        let names = Set(accounts.isEmpty ? [user] : accounts).sorted()
        for name in names where !Self.isAccount(name) {
            throw ServerError(
                .badInput, "'\(name)' is not the name of an account",
                hint:
                    "Use 1 to \(Self.longestAccount) letters, digits, '.', '_' and '-', starting with a letter or '_'.")
        }
        if names.contains("root") {
            throw ServerError(
                .badInput, "root cannot log in with a certificate",
                hint: "Allow an ordinary account, and use sudo on the host.")
        }
        guard names.count <= Self.mostAccounts else {
            throw ServerError(.badInput, "a user can have at most \(Self.mostAccounts) accounts")
        }
        try store.setSSHAccounts(
            names, of: user, event: AuditEvent(.sshAllowed(accounts: names), at: clock.now, user: user, actor: actor))
        return names
    }

    package func denySSH(_ user: String) throws(ServerError) {
        let event = AuditEvent(.sshDenied, at: clock.now, user: user, actor: actor)
        guard try store.removeSSHAccounts(of: user, event: event) else {
            throw ServerError(.nothingToChange, "\(user) may not log in over ssh", next: "ssh list")
        }
    }

    /// Whether a host may still accept a certificate of this user: the audit log has one that was issued in the longest
    /// time for which certificates are valid.
    package func mayHaveSSHCertificate(_ user: String) throws(ServerError) -> Bool {
        try store.hasEvent(.sshCertificate, of: user, since: clock.now.adding(seconds: -Self.longestCertificate))
    }

    package func sshAccounts() throws(ServerError) -> [(user: String, accounts: [String])] { try store.sshAccounts() }

    package static var noSSHAuthority: ServerError {
        ServerError(.nothingToChange, "this server has no SSH CA", next: "ssh enable")
    }

    /// Whether a text can be the name of an account on a host. In a certificate, a comma would separate two.
    private static func isAccount(_ name: String) -> Bool {
        guard 1...longestAccount ~= name.utf8.count, let first = name.utf8.first else { return false }
        func isLetter(_ byte: UInt8) -> Bool {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "_")
        }
        return isLetter(first)
            && name.utf8.allSatisfy {
                isLetter($0) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: ".")
                    || $0 == UInt8(ascii: "-")
            }
    }
}
