// SPDX-License-Identifier: Apache-2.0

/// The purpose of a key, by its name in what the key is derived from. Each purpose has its own key.
package enum KeyPurpose: String, CaseIterable {
    /// The relying party asks an authority for a share of a client secret.
    case clientSecret = "client secret"
    /// The relying party asks an authority for a share of a time permit.
    case timePermit = "time permit"
    /// The stored form of invitation codes.
    case invitation
    /// The stored form of backup codes.
    case backupCode = "backup code"
    /// The stored form of hosts' secrets.
    case host
    /// Keyed hashes of the codes and link tokens in mails.
    case mail
    /// The keys by which an application of the site activates registrations.
    case activation
    case backup

    /// Whether the key is kept after a rotation, because hashes under it stay in use for a long time.
    package var isKept: Bool { self == .invitation || self == .backupCode || self == .host }
}

/// A derived key from before a rotation, sealed by the present sealing key, because the database still contains hashes
/// under it.
package struct RetiredKey: Sendable {
    package let purpose: KeyPurpose
    /// When it was retired, in seconds since 1970. Later hashes use another key.
    package let retired: Int64
    package let sealed: [UInt8]

    package init(purpose: KeyPurpose, retired: Int64, sealed: [UInt8]) {
        (self.purpose, self.retired, self.sealed) = (purpose, retired, sealed)
    }
}

/// Where the sealing key of a server is stored.
package enum KeyPlace: String, Sendable, CaseIterable {
    /// In a file in the server's directory.
    case file
    /// Sealed to the TPM of this machine, in a file in the server's directory.
    case tpm
}
