// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import MPinWire

/// The relying party's only question to its second authority on another host: for its half of the server secret.
struct ServerSecretRequest {
    private static let answerLimit = 4_096

    let url: String
    /// CA certificates that replace the host's; nil for the host's.
    let certificateFile: String?
    let advice: String

    /// Sends the question and waits for the answer.
    ///
    /// - Returns: 128 bytes, which are not checked yet.
    func send(_ query: ShareQuery) throws(ServerError) -> SecretBytes {
        if let fault = RegularFile.fault(of: certificateFile) { throw fault }
        var answer = try ServerError.secretBytes(Self.answerLimit)
        let target = "\(url)\(AuthorityEndpoint.serverSecret.path)?\(query.encode())"
        let request = OutgoingRequest(url: target, certificateFile: certificateFile)
        var length = 0
        let status = answer.withMutableBytes(count: Self.answerLimit) { bytes in
            let result = request.send(into: &bytes)
            length = result.length
            return result.status
        }
        answer.withMutableBytes(count: length) { _ in }
        guard status == 200 else { throw fault(status) }
        var share = try ServerError.secretBytes(ShareResponse.serverSecretSize)
        do throws(WireError) {
            try answer.withBytes { body throws(WireError) in
                try share.withMutableBytes(count: ShareResponse.serverSecretSize) { share throws(WireError) in
                    try ShareResponse.serverSecret.decode(body, share: &share)
                }
            }
        } catch { throw ServerError(.configuration, "the server at \(url) is not an M-Pin authority", hint: advice) }
        return share
    }

    private func fault(_ status: Int) -> ServerError {
        switch status {
        case 401:
            ServerError(
                .configuration, "the authority at \(url) does not accept this relying party's key", hint: advice)
        case 404: ServerError(.configuration, "no authority at \(url)", hint: advice)
        case 408:
            ServerError(
                .unavailable, "the clocks of this host and of the authority at \(url) differ by more than a minute",
                hint: "Synchronize both clocks, for example with NTP.")
        case 0...: ServerError(.unavailable, "the authority at \(url) answered \(status)", hint: "See its log.")
        default:
            ServerError(
                .unavailable, "cannot get the server secret from the second authority at \(url)",
                hint: "It is unreachable, its certificate is not trusted, or it did not answer in time.\n" + advice)
        }
    }
}
