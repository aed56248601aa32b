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
    /// What these settings offer.
    ///
    /// - Throws: NETWORK_ERROR if they offer only a part of what a device key needs: they are damaged or forged.
    fileprivate func offer() throws(MPinError) -> ServerOffer {
        let parts = [offers(.deviceKey), offers(.direct), offers(.proof), serverID != nil, serverKey != nil]
        guard parts.contains(true) else { return .milagro }
        guard !parts.contains(false), let key = serverKey?.lowercased else { throw MPinClient.noServerProof }
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
        }
        return offer
    }
}

extension MPinClient {
    /// Whether the server of a Milagro registration offered device keys when its settings were last read. A recovery
    /// then makes a registration with a key.
    package func offersDeviceKey(to user: User) -> Bool {
        guard case .milagro? = user.registration, let mpinID = user.record.mpinID,
            let settings = CachedLogin.read(mpinID: mpinID, from: store).record.settings
        else { return false }
        do throws(MPinError) { if case .device = try settings.offer() { return true } } catch {}
        return false
    }

    static var noServerProof: MPinError {
        MPinError(
            .networkError, "The server's settings do not offer the proof that this enrollment needs. No code was sent.",
            cause: .noServerProof)
    }
}
