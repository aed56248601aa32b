// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import MPinCrypto
internal import MPinServerStorage

/// The answers to devices, which the server proves with its key.
extension ServerContext {
    /// Answers a request of a known form with a proof, whatever the answer is: refusals and failures, too, because a
    /// device believes no other answer.
    ///
    /// - Parameters:
    ///   - request: the 32 bytes that identify the request. The work may replace them.
    ///   - work: answers the request.
    func proven(
        _ kind: ServerStatement.Kind, to request: [UInt8], _ work: (inout [UInt8]) throws -> RouteResult
    ) -> RouteResult {
        var request = request
        let result: RouteResult
        do { result = try work(&request) } catch { result = .now(.refusal(refusal(for: error))) }
        return result.map { [self, request] response in
            do throws(CryptoError) {
                return try response.proven(kind, for: request, by: key)
            } catch {
                logger.error("cannot sign an answer", metadata: ["reason": "\(error)"])
                return .refusal(.failure)
            }
        }
    }

    /// The refusal of a request that cannot be answered. Logs the failures of the server.
    func refusal(for error: any Error) -> Refusal {
        if let refusal = error as? Refusal { return refusal }
        let fault = error as? ServerError
        logger.error("request failed", metadata: ["reason": "\(fault?.message ?? "\(error)")"])
        return fault?.kind == .unavailable ? .locked : .failure
    }
}
