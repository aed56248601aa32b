// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage

/// The enrollment codes that this server has made: invitations, and users' backup codes.
struct EnrollmentCodes: Sendable {
    /// A code that the server has made.
    struct Known: ~Copyable {
        /// How the storage finds it, which decides whether it is still valid.
        let admission: AdmissionCode
        let secret: CodeSecret
    }

    let store: any ServerStorage
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
