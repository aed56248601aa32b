// SPDX-License-Identifier: Apache-2.0
package import MPinCrypto
package import MPinServerStorage
internal import MPinWire

/// The enrollment codes that this server has made: invitations, and users' backup codes.
struct EnrollmentCodes: Sendable {
    /// A code that the server has made.
    struct Known: ~Copyable {
        /// How the storage finds it, which decides whether it is still valid.
        let admission: AdmissionCode
        let secret: CodeSecret
    }

    let store: ServerStorage
    /// The present key of each kind, and those that rotations have retired.
    let invitations: [SigningKey]
    let backupCodes: [SigningKey]

    /// Finds a code by its name. The code may have been used, or may have expired.
    func find(_ name: [UInt8], user: String) throws -> Known? {
        for key in invitations {
            guard let code = try store.invitation(try key.hash(ofCode: name, user: user)) else { continue }
            return Known(admission: .invitation(code.hash), secret: try key.open(code, name: name, user: user))
        }
        for key in backupCodes {
            guard let code = try store.backupCode(try key.hash(ofCode: name, user: user), of: user) else { continue }
            return Known(admission: .backup(code.hash), secret: try key.open(code, name: name, user: user))
        }
        return nil
    }
}

/// Enrollment codes, stored under the key of their kind.
extension SigningKey {
    /// Makes a code for a user.
    ///
    /// - Returns: the code, which is never shown again, and its stored form.
    package func makeCode(for user: String) throws(CryptoError) -> (text: String, stored: SealedCode) {
        let text = try EnrollmentCode.generate()
        guard let symbols = EnrollmentCode.symbols(text) else { throw .randomUnavailable }
        let code = try CodeSecret(symbols: symbols)
        let sealed = try code.withKey { key throws(CryptoError) in
            try seal(key, context: Self.parts(of: code.name, user: user))
        }
        return (text, SealedCode(hash: try hash(ofCode: code.name, user: user), key: sealed))
    }

    /// The stored form of a code's name. It includes the user, because the code admits no other user.
    func hash(ofCode name: [UInt8], user: String) throws(CryptoError) -> [UInt8] {
        try sign(Self.parts(of: name, user: user))
    }

    /// Opens a stored code, whose name a client has sent.
    func open(_ code: SealedCode, name: [UInt8], user: String) throws(CryptoError) -> CodeSecret {
        CodeSecret(name: name, key: try open(code.key, context: Self.parts(of: name, user: user)))
    }

    private static func parts(of name: [UInt8], user: String) -> [String] { [user, HexText(bytes: name).string] }
}
