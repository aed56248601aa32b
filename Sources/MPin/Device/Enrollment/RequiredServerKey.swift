// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

/// The key that the server of a new registration must have: a person named its fingerprint, or the registration
/// replaces one that has it.
struct RequiredServerKey {
    /// SHA-256 of the key.
    let hash: [UInt8]
    let source: ServerKeySource
}

extension MPinClient {
    /// The key that the server must have; nil if nothing demands one.
    ///
    /// - Parameters:
    ///   - fingerprint: the fingerprint that a person named.
    ///   - user: the new registration. In the staging area it may replace only a registration with the same key.
    func requiredServerKey(
        _ fingerprint: String?, of user: User, at backend: Backend
    ) throws(MPinError) -> RequiredServerKey? {
        var required: RequiredServerKey?
        if let fingerprint {
            guard let named = KeyFingerprint(fingerprint) else {
                throw MPinError(.flowError, "A fingerprint of a server key has 64 hexadecimal digits.")
            }
            required = RequiredServerKey(hash: named.bytes, source: .fingerprint)
        }
        guard store.area == .staging else { return required }
        for replaced in try registrationsInUse()
        where replaced.isRegistration(of: user.record.identity, at: backend.address) {
            guard let device = replaced.device else { continue }
            let hash = try device.serverID()
            guard required.map({ $0.hash == hash }) ?? true else { throw MPinClient.otherServerKey }
            required = required ?? RequiredServerKey(hash: hash, source: device.source)
        }
        return required
    }

    /// All registrations that logins use, for a client that was opened on any area.
    func registrationsInUse() throws(MPinError) -> [User] {
        do throws(StoreError) { return try RecordFile.load(store.beside(.users, create: true)).users } catch {
            if case .notEnrolled = error { return [] }
            throw MPinError(error)
        }
    }

    static var otherServerKey: MPinError {
        MPinError(
            .networkError, "The server at this address has another key than the expected one.", cause: .otherServerKey)
    }
}
