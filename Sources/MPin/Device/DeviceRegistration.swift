// SPDX-License-Identifier: Apache-2.0
package import MPinCrypto
package import MPinWire

/// What a registration with a device key has from its first moment: its own key pair, and the key of its server.
final class DeviceRegistration {
    let key: RegistrationKey
    /// The public key of the registration's server, 65 bytes.
    private(set) var serverKey: HexText
    /// How the registration got ``serverKey``.
    private(set) var source: ServerKeySource

    init(_ key: RegistrationKey, serverKey: HexText, _ source: ServerKeySource) {
        (self.key, self.serverKey, self.source) = (key, serverKey, source)
    }

    /// Gives the registration another server key.
    func trust(_ serverKey: HexText, _ source: ServerKeySource) { (self.serverKey, self.source) = (serverKey, source) }

    /// The server's ID, which the device signs: the SHA-256 of ``serverKey``.
    func serverID() throws(MPinError) -> [UInt8] {
        do throws(CryptoError) { return try Hash.sha256(serverKey.bytes) } catch { throw MPinError(error) }
    }
}

extension DeviceRegistration {
    /// Signs a request with the device's key, at the time of the server's clock.
    ///
    /// - Parameters:
    ///   - request: the name of the request.
    ///   - regOTT: the token of an unfinished registration; empty for another request.
    ///   - offset: the known difference to the server's clock.
    /// - Returns: the proof, and the digest that was signed.
    func proof(
        _ request: StaticString, of user: User, regOTT: [UInt8], _ offset: Int?, tpm: ByteText?,
        until deadline: Deadline
    ) throws(MPinError) -> (proof: DeviceProof, digest: [UInt8]) {
        let (mpinID, serverID) = (try user.requireMPinID(), try serverID())
        let time = SigningClock.now(offset)
        let digest: [UInt8]
        do throws(CryptoError) {
            digest = try DeviceStatement.request(
                ByteText(request).bytes, serverID: serverID, mpinID: mpinID.bytes, time: UInt64(time.magnitude),
                regOTT: regOTT)
        } catch { throw MPinError(error) }
        return (DeviceProof(time: time, signature: try key.sign(digest, tpm: tpm, until: deadline)), digest)
    }

    /// What the answer to a signed request must prove.
    ///
    /// - Parameters:
    ///   - serverID: the hash of the server's key.
    ///   - digest: what the device has signed.
    func check(_ serverID: [UInt8], _ digest: [UInt8], _ signature: HexText) throws(MPinError) -> AnswerCheck {
        do throws(CryptoError) {
            return AnswerCheck(
                .login, key: serverKey, hash: serverID,
                request: try ServerStatement.signedRequest(digest, signature: signature.bytes))
        } catch { throw MPinError(error) }
    }
}

extension User {
    /// The keys of a registration with a device key; nil for a Milagro registration, and before there is a registration.
    var device: DeviceRegistration? { if case .device(let device)? = registration { device } else { nil } }

    /// Whether the registration has a device key and the key of its server. Otherwise, it is a Milagro registration, or
    /// none.
    package var hasDeviceKey: Bool { device != nil }
}

extension User {
    /// The fingerprint of the key of the registration's server; nil for a Milagro registration.
    package var serverKeyFingerprint: KeyFingerprint? {
        guard let device else { return nil }
        do throws(CryptoError) { return try KeyFingerprint(of: device.serverKey.bytes) } catch { return nil }
    }

    /// ``serverKeyFingerprint`` as people compare it.
    package var serverKeyText: String? { serverKeyFingerprint?.text }

    /// How the registration got the key of its server; nil for a Milagro registration.
    package var serverKeySource: ServerKeySource? { device?.source }
}

/// How a registration got the key of its server.
package enum ServerKeySource: Sendable, CaseIterable {
    /// The server proved that it knows the enrollment code.
    case invitation
    /// A person named the key's fingerprint.
    case fingerprint
    /// The server that TLS, or the socket's owner, showed at that time.
    case tls

    /// The name in the record.
    package var name: Constant {
        switch self {
        case .invitation: "invitation"
        case .fingerprint: "fingerprint"
        case .tls: "tls"
        }
    }

    /// The source with that name, or `nil`.
    package init?(name: ByteText) {
        for source in ServerKeySource.allCases where source.name.matches(name.bytes.span) {
            self = source
            return
        }
        return nil
    }
}
