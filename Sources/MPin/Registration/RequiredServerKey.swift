// SPDX-License-Identifier: Apache-2.0
#if !hasFeature(Embedded)
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
            guard replaced.isPinned, let source = replaced.serverKeySource else { continue }
            let hash = try replaced.requireServerID()
            guard required.map({ $0.hash == hash }) ?? true else { throw MPinClient.otherServerKey }
            required = required ?? RequiredServerKey(hash: hash, source: source)
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

    /// The pin for a new registration; nil at a server that offers no proofs.
    ///
    /// - Parameter symbols: those of the enrollment code, if there is one.
    /// - Throws: NETWORK_ERROR if the server does not offer what is required, or has another key.
    func offeredPin(
        _ server: Server, code symbols: [UInt8]?, _ required: RequiredServerKey?, until deadline: Deadline
    ) throws(MPinError) -> EnrollmentPin? {
        do throws(MPinError) { return try offeredPin(server, code: symbols, required) } catch {
            // The settings may be from before the server had a key.
            guard !server.hasFreshSettings else { throw error }
            try server.refresh(until: deadline)
            return try offeredPin(server, code: symbols, required)
        }
    }

    private func offeredPin(
        _ server: Server, code symbols: [UInt8]?, _ required: RequiredServerKey?
    ) throws(MPinError) -> EnrollmentPin? {
        guard let pin = try EnrollmentPin.offered(by: server, required?.source ?? .tls, code: symbols) else {
            // A server with a name that long has a key, whatever its settings say.
            guard symbols == nil, required == nil, server.settings.serverID?.bytes.count != Hash.byteCount else {
                throw EnrollmentPin.notOffered
            }
            return nil
        }
        guard required.map({ $0.hash == pin.hash }) ?? true else { throw MPinClient.otherServerKey }
        return pin
    }

    static var otherServerKey: MPinError {
        MPinError(
            .networkError, "The server at this address has another key than the expected one.", cause: .otherServerKey)
    }
}
#endif
