// SPDX-License-Identifier: Apache-2.0
internal import Pairing

extension SecretBytes {
    /// The G1 point whose 65-byte encoding this is.
    ///
    /// - Throws: ``CryptoError/invalidPoint``.
    @inline(never)
    borrowing func point() throws(CryptoError) -> G1 {
        let parsed = withBytes { bytes in G1.decode(bytes) }
        try demand(parsed.valid, else: .invalidPoint)
        return parsed.point
    }

    /// The 65-byte encoding of a point.
    ///
    /// - Throws: ``CryptoError/infinity``, ``CryptoError/memoryUnavailable``.
    static func encoding(_ point: G1) throws(CryptoError) -> SecretBytes {
        try encoding(point, in: SecretBytes(capacity: G1.byteCount))
    }

    /// The 65-byte encoding of a point, in the page of another secret.
    ///
    /// - Throws: ``CryptoError/infinity``, ``CryptoError/memoryUnavailable``.
    static func encoding(_ point: G1, beside other: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
        try encoding(point, in: SecretBytes(capacity: G1.byteCount, beside: other))
    }

    @inline(never)
    private static func encoding(_ point: G1, in empty: consuming SecretBytes) throws(CryptoError) -> SecretBytes {
        var encoding = empty
        let finite = encoding.withMutableBytes(count: G1.byteCount) { bytes in point.encode(into: &bytes) }
        try demand(finite, else: .infinity)
        return encoding
    }
}

extension SecretBytes {
    /// The G2 point whose 128-byte encoding this is, checked to be in the subgroup.
    ///
    /// - Throws: ``CryptoError/invalidPoint``.
    @inline(never)
    borrowing func twistPoint() throws(CryptoError) -> G2 {
        let parsed = withBytes { bytes in G2.decode(bytes) }
        try demand(parsed.valid, else: .invalidPoint)
        guard parsed.point.isInSubgroup else { throw .invalidPoint }
        return parsed.point
    }

    /// The 128-byte encoding of a point.
    ///
    /// - Throws: ``CryptoError/infinity``, ``CryptoError/memoryUnavailable``.
    @inline(never)
    static func encoding(_ point: G2) throws(CryptoError) -> SecretBytes {
        var encoding = try SecretBytes(capacity: G2.byteCount)
        let finite = encoding.withMutableBytes(count: G2.byteCount) { bytes in point.encode(into: &bytes) }
        try demand(finite, else: .infinity)
        return encoding
    }
}

extension SecretBytes {
    /// These 32 bytes, big-endian, as a number modulo r that is not 0.
    ///
    /// - Throws: ``CryptoError/invalidScalar``.
    borrowing func scalar() throws(CryptoError) -> Scalar {
        guard count == Scalar.byteCount else { throw .invalidScalar }
        let scalar = withBytes { bytes in Scalar(reducing: bytes) }
        try demand(!scalar.isZero, else: .invalidScalar)
        return scalar
    }

    /// A scalar as 32 bytes, big-endian.
    init(scalar: Scalar) throws(CryptoError) {
        self = try SecretBytes(capacity: Scalar.byteCount)
        withMutableBytes(count: Scalar.byteCount) { bytes in scalar.encode(into: &bytes) }
    }

    /// A scalar as 32 bytes, big-endian, in the page of another secret.
    init(scalar: Scalar, beside other: borrowing SecretBytes) throws(CryptoError) {
        self = try SecretBytes(capacity: Scalar.byteCount, beside: other)
        withMutableBytes(count: Scalar.byteCount) { bytes in scalar.encode(into: &bytes) }
    }

    /// A scalar drawn uniformly from 1 to r - 1.
    ///
    /// By rejection: r is 9/64 of 2^256, so 254 random bits are below it with a probability of 9/16. All tries together
    /// fail with a probability below 2^-128, unless the source is broken.
    ///
    /// - Parameter empty: a buffer for 32 bytes.
    @inline(never)
    static func randomScalar(in empty: consuming SecretBytes) throws(CryptoError) -> SecretBytes {
        var bytes = empty
        for _ in 0..<128 {
            try Random.fill(&bytes, count: Scalar.byteCount)
            let usable = bytes.withMutableBytes(count: Scalar.byteCount) { bytes in
                bytes[0] &= 0x3F
                return Scalar.isCanonical(bytes.span)
            }
            if usable.isSet { return bytes }
        }
        throw .randomUnavailable
    }
}
