// SPDX-License-Identifier: Apache-2.0
package import MPinCrypto
package import MPinWire

/// The protocol of a registration, and what that protocol needs. The record decides it, once, when it is read.
enum RegistrationRecord {
    /// The device signs each request, and only answers that the registration's server has signed count.
    case device(DeviceRegistration)
    /// The protocol of 2016: a client or a server of that time made the registration.
    case milagro
}

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
