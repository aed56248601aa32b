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
    /// Whether this process could not decide that, which says nothing about the server.
    private var isUndecided = false

    /// - Parameter request: the digest that identifies the request; see ``ServerStatement``.
    init(_ kind: ServerStatement.Kind, key: HexText, hash keyHash: [UInt8], request: [UInt8], isRequired: Bool = true) {
        (self.kind, self.key, self.keyHash, self.request) = (kind, key, keyHash, request)
        self.isRequired = isRequired
    }

    /// Reads the proof of an answer.
    @inline(never)
    func read(_ answer: Span<UInt8>, status: Int) {
        begin()
        guard let (count, signature) = AnswerProof.split(answer) else { return }
        do throws(CryptoError) {
            let digest = try ServerStatement.answer(
                kind, keyHash: keyHash, request: request, status: status, body: answer.extracting(0..<count))
            isProven = try DevicePublicKey(kept: key.bytes).verifies(signature, over: digest)
        } catch { isUndecided = true }
    }

    /// Marks the beginning of a request: nothing is proven yet.
    func begin() { (isProven, isUndecided) = (false, false) }

    /// The error for an answer that is not proven. It does not have the HTTP status, because anything between client and
    /// server can choose that.
    @inline(never)
    func failure(at endpoint: Endpoint) -> MPinError {
        if isUndecided { return HTTPTransport.noMemory(at: endpoint) }
        #if hasFeature(Embedded)
        // The module has a sentence of its own for it, and has to be small.
        let sentence: Constant = ""
        #else
        let sentence: Constant = "The answer was not signed by this registration's server."
        #endif
        return MPinError(
            .networkError, sentence, pinChecked: endpoint.pinChecked(.unreadable), cause: .unproven)
    }
}

extension MPinClient {
    /// What identifies a request of a device in the proof of its answer.
    static func signedRequest(_ digest: [UInt8], _ signature: HexText) throws(MPinError) -> [UInt8] {
        do throws(CryptoError) {
            return try ServerStatement.signedRequest(digest, signature: signature.bytes)
        } catch { throw MPinError(error) }
    }
}

extension User {
    /// What the answer to a request of this registration must prove; nil for a registration without a pin.
    func check(_ kind: ServerStatement.Kind, of request: [UInt8]) -> AnswerCheck? {
        guard let key = record.serverKey else { return nil }
        // Without a name, which every pinned record has, no proof is right.
        return AnswerCheck(kind, key: key, hash: serverIDBytes ?? [], request: request)
    }
}
