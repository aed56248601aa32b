internal import MPinCrypto
internal import MPinServerRoles
internal import MPinServerStorage

extension SealKey {
    /// Bytes of the code that tells whether a written key is right.
    static let checkSize = 3
    private static let identifierSize = 5

    /// A new key.
    static func generate() throws(ServerError) -> SealKey {
        do {
            var key = try SecretBytes(capacity: size)
            try Random.fill(&key, count: size)
            return try SealKey(key)
        } catch {
            throw error as? ServerError ?? ServerError(.internalFault, "cannot make a key")
        }
    }

    /// What the key is called in messages and files; nothing of it can be computed from that.
    func identifier() throws(CryptoError) -> String {
        let code = Array(try code("mpin-server key identifier 1").prefix(Self.identifierSize))
        var symbols: [UInt8] = []
        RecoveryKey.append(code.span, [], to: &symbols)
        return String(decoding: symbols, as: UTF8.self)
    }

    /// The same, for callers that have no use for another kind of error.
    var shownIdentifier: String {
        get throws(ServerError) {
            do throws(CryptoError) { return try identifier() } catch {
                throw ServerError(.internalFault, "cannot compute the name of the key: \(error)")
            }
        }
    }

    /// What is wrong with all but one of 16 million keys that are not this one.
    func check() throws(CryptoError) -> [UInt8] {
        Array(try code("mpin-server recovery key 1").prefix(Self.checkSize))
    }
}
