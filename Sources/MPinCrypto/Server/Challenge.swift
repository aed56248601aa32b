/// The server's challenge y.
package enum Challenge {
    /// A challenge drawn uniformly from 1 to r - 1, 32 bytes.
    ///
    /// - Throws: ``CryptoError/randomUnavailable``, ``CryptoError/memoryUnavailable``.
    package static func generate() throws(CryptoError) -> [UInt8] {
        let scalar = try SecretBytes.randomScalar()
        return scalar.withBytes { bytes in
            var copy: [UInt8] = []
            for index in bytes.indices { copy.append(bytes[index]) }
            return copy
        }
    }
}
