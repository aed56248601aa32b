internal import MPinCrypto
internal import MPinWire

/// The key of the device that a registration is made for, and where its private half is.
///
/// A class because a registration that has to prove itself, with another PIN for example, has the same key as the one in
/// use.
final class RegistrationKey {
    /// Where the private half is. What signs, and what is written down, asks this and nothing else.
    private enum PrivateHalf: ~Copyable {
        /// In the record, and so in this process's memory.
        case file(DeviceKey)
        /// In the machine's TPM, which alone can use what the record has of it.
        case tpm(TPMKey)
    }

    private let place: PrivateHalf

    /// The public half, 65 bytes.
    let publicKey: HexText

    /// Whether the server has yet to be given it, as far as this machine knows.
    var isPending: Bool

    /// A key from a record; nil for one that is none.
    init?(_ publicKey: HexText, secret: consuming SecretBytes, isPending: Bool) {
        do throws(CryptoError) {
            place = .file(try DeviceKey(scalar: secret, publicKey: DevicePublicKey(kept: publicKey.bytes)))
        } catch { return nil }
        self.publicKey = publicKey
        self.isPending = isPending
    }

    /// A key from a record whose private half is in the TPM.
    init(_ publicKey: HexText, tpm key: TPMKey, isPending: Bool) {
        place = .tpm(key)
        self.publicKey = publicKey
        self.isPending = isPending
    }

    /// A new key in the record.
    init(isPending: Bool) throws(MPinError) {
        let key: DeviceKey
        do throws(CryptoError) { key = try DeviceKey.generate() } catch { throw MPinError(error) }
        publicKey = HexText(bytes: key.publicKey.bytes)
        place = .file(key)
        self.isPending = isPending
    }

    /// Signs a digest of 32 bytes: the one way to a signature, wherever the private half is.
    ///
    /// - Parameters:
    ///   - tpm: the name of the TPM, should it be there.
    ///   - deadline: when the TPM has to have answered.
    /// - Returns: r and s, 64 bytes.
    func sign(_ digest: [UInt8], tpm: ByteText?, until deadline: Deadline) throws(MPinError) -> HexText {
        switch place {
        case .tpm(let key): return HexText(bytes: try key.sign(digest, tpm, until: deadline))
        case .file(let key):
            do throws(CryptoError) { return HexText(bytes: try key.sign(digest)) } catch { throw MPinError(error) }
        }
    }

    /// Lends the private half as it is written into the record; nil where it is not this process's to write.
    func withPrivateHalf<R: ~Copyable>(_ body: (Span<UInt8>?) -> R) -> R {
        switch place {
        case .file(let key): key.withScalar { body($0) }
        case .tpm: body(nil)
        }
    }

    /// What the record has of a key in the TPM; nil for any other.
    var tpmBlob: HexText? {
        switch place {
        case .file: nil
        case .tpm(let key): HexText(bytes: key.blob)
        }
    }
}
