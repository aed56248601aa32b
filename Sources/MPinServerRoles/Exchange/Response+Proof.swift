// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

extension Response {
    /// This response with the server's proof at its end.
    ///
    /// - Parameter request: the 32 bytes that identify the request.
    /// - Throws: ``CryptoError/invalidMessage`` if the body is not an object with members.
    func proven(
        _ kind: ServerStatement.Kind, for request: [UInt8], by key: ServerSigningKey
    ) throws(CryptoError) -> Response {
        let bytes = content.bytes
        guard let count = AnswerProof.signedCount(of: bytes.span) else { throw .invalidMessage }
        let digest = try ServerStatement.answer(
            kind, keyHash: key.hash, request: request, status: status, body: bytes.span.extracting(0..<count))
        let tail = AnswerProof.tail(try key.sign(digest))
        return replacing(content.replacing(from: count, by: tail))
    }
}
