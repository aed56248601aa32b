// SPDX-License-Identifier: Apache-2.0
package import MPinCrypto

/// Decides which requests may register: those with an invitation, and those that the configuration admits.
package struct RegistrationPolicy: Sendable {
    /// The decision about a request to register.
    enum Decision: Sendable {
        /// Activated if one of these hashes belongs to a valid code. The first hash is under the present key. The
        /// storage decides, in the transaction that consumes the code.
        case ifCodeIsGood([[UInt8]])
        /// Activated if one of these hashes belongs to a valid backup code.
        case ifBackupCodeIsGood([[UInt8]])
        case activated
        /// Held until a code comes, or until it is verified.
        case held
        case refused
    }

    private let invitations: [SigningKey]
    private let backupCodes: [SigningKey]
    private let configuration: RoleConfiguration

    init(invitations: [SigningKey], backupCodes: [SigningKey], configuration: RoleConfiguration) {
        self.invitations = invitations
        self.backupCodes = backupCodes
        self.configuration = configuration
    }

    /// Decides about a request with or without a code. A malformed code is always refused.
    func decide(code: String?, user: String) throws(CryptoError) -> Decision {
        if let code, !code.isEmpty {
            // The site's application may use codes of its own.
            if configuration.verifiesByHook, InvitationCode.normalized(code) == nil { return .held }
            if BackupCode.normalized(code) != nil {
                var hashes: [[UInt8]] = []
                for key in backupCodes {
                    if let hash = try BackupCode.hash(code, user: user, key: key) { hashes.append(hash) }
                }
                return .ifBackupCodeIsGood(hashes)
            }
            var hashes: [[UInt8]] = []
            for key in invitations {
                guard let hash = try Self.hash(code, key: key) else { return .refused }
                hashes.append(hash)
            }
            return .ifCodeIsGood(hashes)
        }
        if configuration.verifiesByHook { return .held }
        if configuration.forceActivate { return .activated }
        if MailVerification.address(of: user, configuration) != nil { return .held }
        return configuration.holdUnverified ? .held : .refused
    }

    /// The stored form of a code; nil if it is malformed.
    package static func hash(_ code: String, key: SigningKey) throws(CryptoError) -> [UInt8]? {
        guard let symbols = InvitationCode.normalized(code) else { return nil }
        return try key.sign([symbols])
    }
}
