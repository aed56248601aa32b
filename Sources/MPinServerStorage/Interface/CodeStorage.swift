// SPDX-License-Identifier: Apache-2.0

/// The codes that admit registrations, stored as keyed hashes and with sealed keys. Adding or restarting a registration
/// with a code consumes the code in the same transaction.
package protocol CodeStorage: Sendable {
    /// Stores an invitation.
    ///
    /// - Parameters:
    ///   - maker: the hash of the registration whose owner made it, which replaces an earlier unused one; nil for an
    ///     administrator.
    /// - Returns: false, and nothing changed, if the maker may no longer make codes.
    func addInvitation(
        _ code: SealedCode, user: String, now: Int64, expires: Int64, maker: [UInt8]?, event: AuditEvent
    ) throws(ServerError) -> Bool

    /// The invitation with a hash, used or not; nil if there is none.
    func invitation(_ hash: [UInt8]) throws(ServerError) -> SealedCode?

    /// The backup code of a user with a hash, used or not; nil if there is none.
    func backupCode(_ hash: [UInt8], of user: String) throws(ServerError) -> SealedCode?

    /// Stores a batch of codes that are not valid yet. Replaces earlier ones that were never confirmed.
    ///
    /// - Parameters:
    ///   - batch: a number that no other batch of the user has had, so that a confirmation cannot confirm other codes.
    ///   - maker: the hash of the registration whose owner makes them.
    /// - Returns: false, and nothing changed, if the maker may no longer make codes.
    func addBackupCodes(
        _ codes: [SealedCode], batch: Int, user: String, maker: [UInt8], now: Int64
    ) throws(ServerError) -> Bool

    /// Makes a batch of codes valid, and deletes all earlier codes.
    ///
    /// - Parameter maker: the hash of the registration that confirms them, which must have made them.
    /// - Returns: how many codes are valid now; nil, and nothing changed, if there is no such batch.
    func confirmBackupCodes(
        _ batch: Int, user: String, maker: [UInt8], now: Int64, event: AuditEvent
    ) throws(ServerError) -> Int?
}

/// An enrollment code as it is stored: neither the code nor its key can be read from it.
package struct SealedCode: Sendable {
    /// A keyed hash of its name and its user.
    package let hash: [UInt8]
    /// The key with which client and server prove that they know the code, sealed.
    package let key: [UInt8]

    package init(hash: [UInt8], key: [UInt8]) { (self.hash, self.key) = (hash, key) }
}

/// A code that admits a registration, as a keyed hash.
package enum AdmissionCode: Sendable {
    case invitation([UInt8])
    case backup([UInt8])
}
