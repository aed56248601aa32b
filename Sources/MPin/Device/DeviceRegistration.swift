// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

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
    func trust(_ serverKey: HexText, _ source: ServerKeySource) {
        (self.serverKey, self.source) = (serverKey, source)
    }

    /// The server's ID, which the device signs: the SHA-256 of ``serverKey``.
    func serverID() throws(MPinError) -> [UInt8] {
        do throws(CryptoError) { return try Hash.sha256(serverKey.bytes) } catch { throw MPinError(error) }
    }
}

extension User {
    /// The keys of a registration with a device key; nil for a Milagro registration, and before there is a registration.
    var device: DeviceRegistration? {
        if case .device(let device)? = registration { device } else { nil }
    }

    /// Whether the registration has a device key and the key of its server. Otherwise, it is a Milagro registration, or
    /// none.
    package var hasDeviceKey: Bool { device != nil }
}
