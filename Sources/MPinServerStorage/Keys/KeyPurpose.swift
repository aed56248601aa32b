// SPDX-License-Identifier: Apache-2.0

/// The purpose of a key. Each purpose has its own key.
package enum KeyPurpose: CaseIterable {
    /// The relying party asks an authority for a share of a client secret.
    case clientSecret
    /// The relying party asks an authority for a share of a time permit.
    case timePermit
    /// The stored form of invitation codes.
    case invitation
    /// The stored form of backup codes.
    case backupCode
    /// The stored form of hosts' secrets.
    case host
    /// Keyed hashes of the codes and link tokens in mails.
    case mail
    /// The keys by which an application of the site activates registrations.
    case activation
    /// The MAC of backups.
    case backup

    /// Whether the key is kept after a rotation, because hashes under it stay in use for a long time.
    package var isKept: Bool { self == .invitation || self == .backupCode || self == .host }

    package var name: String {
        switch self {
        case .clientSecret: "client secret"
        case .timePermit: "time permit"
        case .invitation: "invitation"
        case .backupCode: "backup code"
        case .mail: "mail"
        case .host: "host"
        case .activation: "activation"
        case .backup: "backup"
        }
    }
}
