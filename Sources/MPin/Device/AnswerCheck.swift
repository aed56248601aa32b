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

    /// Whether the last answer was proven.
    private(set) var isProven = false
    /// Whether this process could not decide that, which says nothing about the server.
    private var isUndecided = false

    /// - Parameter request: the digest that identifies the request; see ``ServerStatement``.
    init(_ kind: ServerStatement.Kind, key: HexText, hash keyHash: [UInt8], request: [UInt8]) {
        (self.kind, self.key, self.keyHash, self.request) = (kind, key, keyHash, request)
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
        return MPinError(
            .networkError, "The answer was not signed by this registration's server.",
            pinChecked: endpoint.pinChecked(.unreadable), cause: .unproven)
    }
}
