// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

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
    /// - Parameters:
    ///   - tpm: the name of the TPM, in case the key is there.
    ///   - deadline: when the TPM must have answered.
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
    static func make(_ options: TransportOptions) throws(MPinError) -> (key: RegistrationKey, tpmFault: MPinError?) {
        switch options.newKey {
        case .file: return (try RegistrationKey(), nil)
        case .tpm: return (try inTPM(options), nil)
        case .tpmIfUsable:
            do throws(MPinError) { return (try inTPM(options), nil) } catch { return (try RegistrationKey(), error) }
        }
    }

    private static func inTPM(_ options: TransportOptions) throws(MPinError) -> RegistrationKey {
        let made = try TPMKey.create(options.tpmDevice, until: Deadline(millisecondsFromNow: patience))
        return RegistrationKey(HexText(bytes: made.point), tpm: made.key)
    }
}
