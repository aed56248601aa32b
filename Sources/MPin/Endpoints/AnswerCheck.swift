// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

/// Decides whether an answer comes from the server that has a key: whether its proof covers the request, the status and
/// the body.
///
/// It is a class because the code that made the request reads the result.
final class AnswerCheck {
    /// The server's public key, 65 bytes.
    let key: HexText
    /// SHA-256 of ``key``.
    let keyHash: [UInt8]
    private let kind: ServerStatement.Kind
    private let request: [UInt8]

    /// Whether an answer without this proof is refused.
    let isRequired: Bool

    /// Whether the last answer was proven.
    private(set) var isProven = false

    /// - Parameter request: the digest that identifies the request; see ``ServerStatement``.
    init(_ kind: ServerStatement.Kind, key: HexText, hash keyHash: [UInt8], request: [UInt8], isRequired: Bool = true) {
        (self.kind, self.key, self.keyHash, self.request) = (kind, key, keyHash, request)
        self.isRequired = isRequired
    }

    /// Reads the proof of an answer.
    @inline(never)
    func read(_ answer: Span<UInt8>, status: Int) {
        isProven = false
        guard let (count, signature) = AnswerProof.split(answer) else { return }
        do throws(CryptoError) {
            let digest = try ServerStatement.answer(
                kind, keyHash: keyHash, request: request, status: status, body: answer.extracting(0..<count))
            isProven = DevicePublicKey(kept: key.bytes).accepts(signature, over: digest)
        } catch {}
    }

    /// Marks the beginning of a request: nothing is proven yet.
    func begin() { isProven = false }
}

extension User {
    /// What the answer to a request of this registration must prove; nil for a registration without a pin.
    func check(_ kind: ServerStatement.Kind, of request: [UInt8]) -> AnswerCheck? {
        guard let key = record.serverKey else { return nil }
        // Without a name, which every pinned record has, no proof is right.
        return AnswerCheck(kind, key: key, hash: serverIDBytes ?? [], request: request)
    }
}
