// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinCrypto
internal import MPinServerRoles
package import MPinServerStorage
internal import SystemFiles

/// Replaces the sealing key, and with it the keys for every purpose.
///
/// The master shares and all enrollments stay the same; the shares are sealed again. Open invitations and the secrets
/// of hosts are known only as hashes under an old key. They stay valid, because the old keys are kept, sealed by the
/// new one, as long as anything needs them.
///
/// The key is in a file and the secrets are in the database, and both cannot change at the same time. So the new key is
/// stored next to the old one before the database changes, and replaces it afterwards. A process that opens the server
/// in between uses the key that opens the database (``ServerDirectory/readKey(for:)``).
package struct KeyRotation: Sendable {
    /// The file of the old key, which opens the earlier backups.
    package let former: String
    package let file: String
    package let recovery: RecoveryKey?

    /// - Parameter display: shows the recovery key before it is used; nil if the caller shows it afterwards.
    /// - Throws: ``ServerError``. Then the server opens as before.
    package static func run(
        _ directory: ServerDirectory, showing display: RecoveryKeyDisplay? = nil, actor: String
    ) throws(ServerError) -> KeyRotation {
        try directory.check()
        let place = directory.keyPlace ?? .file
        let (current, next) = (directory.file(of: place), directory.nextFile(of: place))
        // A running server has the old keys in its memory.
        let lock = try ServerLock(directory)
        defer { withExtendedLifetime(lock) {} }
        let store = try directory.storage(.writing)
        try directory.demandAlone(store)
        let old = try directory.readKey(for: store)
        let now = ServerClock.system.now
        let new = try SealKey.generate()
        let recovery = place == .tpm ? try RecoveryKey(new) : nil
        // Before anything changes: the server must not depend on a recovery key that was never shown.
        if let recovery { try display?(recovery) }
        try directory.write(new, of: place, to: next)
        let sealed = try reseal(store, from: old, to: new, now)
        let former = directory.unusedName(current, now)
        guard unsafe link(current, former) == 0 else {
            throw ServerError(.storage, "cannot rename \(current) to \(former): \(SystemError().text)")
        }
        try PrivateFile.sync(directory.path)
        try store.rotateKeys(
            shares: sealed.shares, secrets: Self.reseal(secretsOf: store, from: old, to: new), retired: sealed.retired,
            event: AuditEvent(.rotated, at: now, actor: actor))
        try directory.finishRotation(place)
        try store.close()
        return KeyRotation(former: former, file: current, recovery: recovery)
    }

    /// The secrets that a relying party stores if its second authority is on another host.
    private static func reseal(
        secretsOf store: ServerStorage, from old: SealKey, to new: SealKey
    ) throws(ServerError) -> [SealedSecret: [UInt8]] {
        var sealed: [SealedSecret: [UInt8]] = [:]
        for name in SealedSecret.allCases {
            guard let present = try store.sealedSecret(name) else { continue }
            do throws(CryptoError) { sealed[name] = try new.seal(old.open(present, as: name), as: name) } catch {
                throw ServerError(.internalFault, "cannot seal the \(name.rawValue): \(error)")
            }
        }
        return sealed
    }

    private static func reseal(
        _ store: ServerStorage, from old: SealKey, to new: SealKey, _ now: Timestamp
    ) throws(ServerError) -> (shares: [Int: [UInt8]], retired: [RetiredKey]) {
        var shares: [Int: [UInt8]] = [:]
        for number in try store.role().shares {
            let authority = try Vault(store, old).masterShare(number)
            do throws(CryptoError) {
                shares[number] = try authority.withMaster { master throws(CryptoError) in
                    try new.seal(master, authority: number)
                }
            } catch { throw ServerError(.internalFault, "cannot seal the master share \(number): \(error)") }
        }
        let needed = try store.neededKeys(now: now.seconds)
        var retired: [RetiredKey] = []
        do throws(CryptoError) {
            for key in needed {
                let secret = try old.open(retired: key)
                retired.append(try new.seal(secret, retired: key.purpose, at: key.retired))
            }
            for purpose in KeyPurpose.allCases where purpose.isKept {
                retired.append(try new.seal(old.derive(purpose), retired: purpose, at: now.seconds))
            }
        } catch { throw ServerError(.internalFault, "cannot seal the former keys: \(error)") }
        return (shares, retired)
    }
}
