// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
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

    /// The fingerprint of the key of the registration's server, as people compare it: 64 hexadecimal digits in
    /// groups. `nil` for a
    /// Milagro registration, and before there is a registration.
    public var serverKeyText: String? { serverKeyFingerprint?.text }

    /// How the registration got the key of its server; nil for a Milagro registration.
    package var serverKeySource: ServerKeySource? { device?.source }
}

package enum ServerKeySource: Constant, Sendable, CaseIterable {
    /// The server proved that it knows the enrollment code.
    case invitation
    /// A person named the key's fingerprint.
    case fingerprint
    /// The server that TLS, or the socket's owner, showed at that time.
    case tls

    /// The name in the record.
    package var name: Constant { rawValue }

    /// The source with that name, or `nil`.
    package init?(name: ByteText) {
        let known = ServerKeySource.allCases.first { $0.rawValue.matches(name.bytes.span) }
        guard let known else { return nil }
        self = known
    }
}

/// The device key of a registration, and where its private half is.
///
/// It is a class because a copy of a registration that has to prove itself, for example with another PIN, has the same
/// key as the one in use.
final class RegistrationKey {
    /// Where the private half is. Signing and storing depend on this and nothing else.
    private enum PrivateHalf: ~Copyable {
        /// In the record, and therefore in this process's memory.
        case file(DeviceKey)
        /// In the machine's TPM. Only that TPM can use what the record stores of it.
        case tpm(TPMKey)
    }

    private let place: PrivateHalf

    /// The public half, 65 bytes.
    let publicKey: HexText

    /// Reads a key from a record; nil if it is invalid.
    init?(_ publicKey: HexText, secret: consuming SecretBytes) {
        do throws(CryptoError) {
            place = .file(try DeviceKey(scalar: secret, publicKey: DevicePublicKey(kept: publicKey.bytes)))
        } catch { return nil }
        self.publicKey = publicKey
    }

    /// Reads a key from a record whose private half is in the TPM.
    init(_ publicKey: HexText, tpm key: TPMKey) {
        place = .tpm(key)
        self.publicKey = publicKey
    }

    /// Makes a new key in the record.
    init() throws(MPinError) {
        let key: DeviceKey
        do throws(CryptoError) { key = try DeviceKey.generate() } catch { throw MPinError(error) }
        publicKey = HexText(bytes: key.publicKey.bytes)
        place = .file(key)
    }

    /// Signs a digest of 32 bytes. All signatures are made here, wherever the private half is.
    ///
    /// - Returns: r and s, 64 bytes.
    func sign(_ digest: [UInt8], tpm: ByteText?, until deadline: Deadline) throws(MPinError) -> HexText {
        switch place {
        case .tpm(let key): return HexText(bytes: try key.sign(digest, tpm, until: deadline))
        case .file(let key):
            do throws(CryptoError) { return HexText(bytes: try key.sign(digest)) } catch { throw MPinError(error) }
        }
    }

    /// Lends the private half as it is written into the record; nil if the TPM has it.
    func withPrivateHalf<R: ~Copyable>(_ body: (Span<UInt8>?) -> R) -> R {
        switch place {
        case .file(let key): key.withScalar { body($0) }
        case .tpm: body(nil)
        }
    }

    /// The blob that the record stores for a key in the TPM; nil for any other key.
    var tpmBlob: HexText? {
        switch place {
        case .file: nil
        case .tpm(let key): HexText(bytes: key.blob)
        }
    }
}

extension RegistrationKey {
    /// How long a TPM may take to make a key, in milliseconds: the slowest take some seconds.
    static let patience = 20_000

    /// Makes the key of a new registration.
    ///
    /// - Returns: the key, and why it is not in the TPM if it should have been.
    static func make(
        _ options: TransportOptions, stop: Int32
    ) throws(MPinError) -> (key: RegistrationKey, tpmFault: MPinError?) {
        switch options.newKey {
        case .file: return (try RegistrationKey(), nil)
        case .tpm: return (try inTPM(options, stop), nil)
        case .tpmIfUsable:
            do throws(MPinError) { return (try inTPM(options, stop), nil) } catch {
                guard error.cause != .canceled else { throw error }
                return (try RegistrationKey(), error)
            }
        }
    }

    private static func inTPM(_ options: TransportOptions, _ stop: Int32) throws(MPinError) -> RegistrationKey {
        let made = try TPMKey.create(options.tpmDevice, until: Deadline(millisecondsFromNow: patience, stop: stop))
        return RegistrationKey(HexText(bytes: made.point), tpm: made.key)
    }
}

/// The server's clock as far as this machine knows it: this machine's clock plus the difference that the server
/// reported.
enum SigningClock {
    /// The largest plausible difference between two clocks, in milliseconds: a century.
    private static let limit: Int64 = 100 * 366 * 86_400_000

    /// The milliseconds since 1970-01-01 UTC by the server's clock, at least 1.
    static func now(_ offset: Int?) -> Int {
        Int(max(1, mpin_wall_milliseconds().addingReportingOverflow(bounded(offset)).partialValue))
    }

    /// Returns how many milliseconds the server's clock is ahead; nil for an implausible time.
    ///
    /// - Parameter time: the server's current time, in milliseconds since 1970-01-01 UTC.
    static func offset(of time: Int) -> Int? {
        let (difference, isTooFar) = Int64(time).subtractingReportingOverflow(mpin_wall_milliseconds())
        guard !isTooFar, difference.magnitude <= limit.magnitude else { return nil }
        return Int(difference)
    }

    private static func bounded(_ offset: Int?) -> Int64 {
        guard let offset, Int64(offset).magnitude <= limit.magnitude else { return 0 }
        return Int64(offset)
    }
}

extension CachedLogin {
    /// Stores the difference to the server's current time.
    func learnTime(_ time: Int) {
        let offset = SigningClock.offset(of: time)
        if offset != record.clockOffset { change { $0.clockOffset = offset } }
    }
}

/// Where the private half of a registration's device key is, for display.
package enum DeviceKeyPlace: Constant, Sendable, CaseIterable {
    /// There is no key: it is a Milagro registration.
    case none
    /// In the record.
    case file
    /// In the machine's TPM.
    case tpm

    package var name: Constant { rawValue }
}

extension User {
    /// Whether the registration has a device key, and this machine's TPM has its private half.
    public var hasKeyInTPM: Bool { keyPlace == .tpm }

    package var keyPlace: DeviceKeyPlace {
        guard let device else { return .none }
        return device.key.tpmBlob == nil ? .file : .tpm
    }
}

/// Where the device key of a new registration is made.
public enum NewDeviceKeyPlace: Sendable {
    /// In the record.
    case file
    /// In the TPM if one is usable, otherwise in the record.
    case tpmIfUsable
    /// In the TPM; without one, the registration fails.
    case tpm
}
