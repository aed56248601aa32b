// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import Pairing

/// s Q with the lines of its Miller loop, in memory for secrets.
///
/// An attacker who has it and a token finds the PIN by trying all, so it must no more get into a dump or into swap than
/// a master share. It is a class because all threads share one verifier; it never changes.
final class ServerSecret: @unchecked Sendable {
    private let lines: SecretBytes

    /// - Parameter encoding: 128 bytes.
    /// - Throws: ``CryptoError/invalidPoint``; ``CryptoError/memoryUnavailable``.
    init(_ encoding: borrowing SecretBytes) throws(CryptoError) {
        defer { mpin_wipe_stack() }
        lines = try ServerSecret.prepared(encoding)
    }

    var isLocked: Bool { lines.isLocked }

    /// Lends the lines.
    func withLines<R>(_ body: (Span<UInt8>) -> R) -> R { lines.withBytes(body) }

    @inline(never)
    private static func prepared(_ encoding: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
        let point = try encoding.twistPoint()
        var lines = try SecretBytes(capacity: PreparedG2.byteCount)
        lines.withMutableBytes(count: PreparedG2.byteCount) { bytes in PreparedG2.write(point, to: &bytes) }
        return lines
    }
}
