// SPDX-License-Identifier: Apache-2.0
import MPinCrypto
import Pairing

/// Secrets from and to arrays, which only tests may do.
enum Secrets {
    static func secret(_ bytes: [UInt8]) throws(CryptoError) -> SecretBytes {
        var secret = try SecretBytes(capacity: max(1, bytes.count))
        secret.withMutableBytes(count: bytes.count) { target in
            for index in bytes.indices { target[index] = bytes[index] }
        }
        return secret
    }

    static func bytes(_ secret: borrowing SecretBytes) -> [UInt8] {
        secret.withBytes { source in source.indices.map { source[$0] } }
    }

    /// The sum of two shares of the server secret.
    static func sum(_ first: [UInt8], _ second: [UInt8]) throws -> [UInt8] {
        bytes(try Shares.recombineServer(secret(first), secret(second)))
    }

    /// Whether a verifier takes these bytes for its secret, a point of G2.
    static func isTwistPoint(_ bytes: [UInt8]) throws -> Bool {
        do throws(CryptoError) { _ = try Verifier(serverSecret: secret(bytes)) } catch {
            guard error == .invalidPoint else { throw error }
            return false
        }
        return true
    }

    /// An authority, whose master secret some files give unreduced.
    static func authority(_ master: [UInt8]) throws -> TrustAuthority {
        guard master.count == Scalar.byteCount else { return try TrustAuthority(master: secret(master)) }
        return try TrustAuthority(master: secret(reduced(master)))
    }

    /// 32 bytes modulo r.
    static func reduced(_ bytes: [UInt8]) -> [UInt8] { Secrets.bytes(Scalar(reducing: bytes.span)) }

    static func bytes(_ scalar: Scalar) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Scalar.byteCount)
        var span = bytes.mutableSpan
        scalar.encode(into: &span)
        return bytes
    }
}
