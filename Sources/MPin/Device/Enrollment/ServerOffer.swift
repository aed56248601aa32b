// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

/// The kind of registration that a server offers in its settings.
enum ServerOffer {
    /// A registration with a device key. The server claims this key, 65 bytes, and its SHA-256.
    case device(serverKey: HexText, hash: [UInt8])
    /// A Milagro registration: the server offers nothing that a device key needs.
    case milagro
}

extension ClientSettings {
    /// Whether each part of what a device key needs is offered.
    private var keyParts: [Bool] {
        [offers(.deviceKey), offers(.direct), offers(.proof), serverID != nil, serverKey != nil]
    }

    var offersDeviceKey: Bool { !keyParts.contains(false) }

    /// - Throws: NETWORK_ERROR if they offer only a part of what a device key needs: they are damaged or forged.
    fileprivate func offer() throws(MPinError) -> ServerOffer {
        guard keyParts.contains(true) else { return .milagro }
        guard offersDeviceKey, let key = serverKey?.lowercased else { throw MPinClient.noServerProof }
        do throws(CryptoError) {
            _ = try DevicePublicKey(key.bytes)
            let hash = try Hash.sha256(key.bytes)
            guard let named = serverID, Hash.equal(named.bytes, hash) else { throw .invalidPoint }
            return .device(serverKey: key, hash: hash)
        } catch { throw error == .invalidPoint ? MPinClient.noServerProof : MPinError(error) }
    }
}

extension Server {
    /// What the server offers to a new registration. After a failure, settings of an earlier call are read again.
    ///
    /// The settings must have a usable address of the second authority too: an enrollment needs it only after it has
    /// used up a code.
    /// - Parameters:
    ///   - required: the key that the server must have; nil for any.
    ///   - needsKey: whether a Milagro registration would not do.
    func offer(
        _ required: RequiredServerKey?, needsKey: Bool, until deadline: Deadline
    ) throws(MPinError) -> ServerOffer {
        do throws(MPinError) { return try presentOffer(required, needsKey: needsKey) } catch {
            guard !hasFreshSettings else { throw error }
            try refresh(until: deadline)
            return try presentOffer(required, needsKey: needsKey)
        }
    }

    private func presentOffer(_ required: RequiredServerKey?, needsKey: Bool) throws(MPinError) -> ServerOffer {
        _ = try url(.certivoxURL)
        let offer = try settings.offer()
        switch offer {
        case .device(_, let hash):
            guard required.map({ Hash.equal($0.hash, hash) }) ?? true else { throw MPinClient.otherServerKey }
        case .milagro:
            guard !needsKey, required == nil else { throw MPinClient.noServerProof }
            // An attacker with a trusted certificate could have removed from the settings what they say of the key.
            guard transport.options.acceptsOldServer else { throw MPinClient.unexpectedOldServer }
        }
        return offer
    }
}

extension MPinClient {
    fileprivate static var unexpectedOldServer: MPinError {
        MPinError(
            .networkError, "The server offers no device keys, as one of 2016, but is not expected to be one.",
            cause: .unexpectedOldServer)
    }

    static var noServerProof: MPinError {
        MPinError(
            .networkError, "The server's settings do not offer the proof that this enrollment needs. No code was sent.",
            cause: .noServerProof)
    }
}

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
    ///   - user: the new registration. In the staging area it may replace only a registration with the same key, unless
    ///     ``acceptsProvenKey`` is set.
    ///   - isProven: whether a code proves the key.
    func requiredServerKey(
        _ fingerprint: String?, of user: User, at backend: Backend, isProven: Bool
    ) throws(MPinError) -> RequiredServerKey? {
        var required: RequiredServerKey?
        if let fingerprint {
            guard let named = KeyFingerprint(fingerprint) else {
                throw MPinError(.flowError, "A fingerprint of a server key has 64 hexadecimal digits.")
            }
            required = RequiredServerKey(hash: named.bytes, source: .fingerprint)
        }
        guard store.area == .staging, !(acceptsProvenKey && isProven) else { return required }
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
