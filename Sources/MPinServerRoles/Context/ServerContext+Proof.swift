// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import MPinCrypto
internal import MPinWire

/// The answers to devices, which the server proves with its key.
extension ServerContext {
    /// Answers a request of a known form with a proof, whatever the answer is: refusals and failures, too, because a
    /// device believes no other answer.
    ///
    /// - Parameter request: the 32 bytes that identify the request.
    func proven(_ kind: ServerStatement.Kind, to request: [UInt8], _ work: () throws -> RouteResult) -> RouteResult {
        let result: RouteResult
        do { result = try work() } catch { result = .now(.refusal(.of(error, logger))) }
        return result.map { [self] response in
            do throws(CryptoError) { return try response.proven(kind, for: request, by: key) } catch {
                logger.error("cannot sign an answer", metadata: ["reason": "\(error)"])
                return .refusal(.failure)
            }
        }
    }
}

extension Response {
    /// This response with the server's proof at its end.
    ///
    /// - Parameter request: the 32 bytes that identify the request.
    /// - Throws: ``CryptoError/invalidMessage`` if the body is not an object with members.
    fileprivate func proven(
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
