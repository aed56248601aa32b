internal import MPinCrypto

/// Checks what devices have signed. The check of an unknown device takes nearly as long as that of a known one.
struct DeviceSignatures: Sendable {
    /// What the signatures of unknown devices are checked against.
    private let fixed: DevicePublicKey

    /// - Throws: ``CryptoError/libraryUnavailable``.
    init() throws(CryptoError) { fixed = try DeviceKey.generate().publicKey }

    /// Whether a signature is that of a registration's key.
    ///
    /// - Parameter key: 65 bytes; nil for a registration that is unknown, or has none.
    func accepts(_ signature: [UInt8], over digest: [UInt8], by key: [UInt8]?) -> Bool {
        let isGood = (key.map { DevicePublicKey(kept: $0) } ?? fixed).accepts(signature, over: digest)
        return isGood && key != nil
    }
}
