// SPDX-License-Identifier: Apache-2.0
internal import CCurl
internal import Foundation
internal import MPinCrypto
internal import MPinWire

/// Asks the server at a public address for its key, like another machine.
package struct PublicAddressProbe {
    /// What is at the address.
    package enum Result: String, Sendable {
        /// The server with the expected key.
        case here
        /// Another server, or a proxy that leads elsewhere.
        case other
        /// A certificate that this host does not accept.
        case untrusted
        /// A host name that cannot be resolved.
        case unknownHost
        /// No answer.
        case unreachable
    }

    private static let answerLimit = 4_096

    private let url: String

    /// - Parameter address: the public address.
    package init(_ address: String) { url = address + "/mpinHello" }

    /// Asks once.
    ///
    /// - Parameter fingerprint: the fingerprint of the key that the server must have.
    package func ask(for fingerprint: String) -> Result {
        guard let challenge = try? Random.bytes(HelloRequest.size) else { return .unreachable }
        let body = HelloRequest(challenge: HexText(bytes: challenge)).encode()
        var answer = [UInt8](repeating: 0, count: Self.answerLimit)
        var bytes = answer.mutableSpan
        let (status, length) = OutgoingRequest(url: url, certificateFile: nil).send(body, into: &bytes)
        guard status > 0 else { return Self.obstacle(status) }
        let isProven =
            status == 200 && (try? proves(answer.span.extracting(0..<length), challenge, fingerprint)) == true
        return isProven ? .here : .other
    }

    /// - Parameter status: of a request without an answer.
    private static func obstacle(_ status: Int) -> Result {
        switch status {
        case -Int(MPIN_HOOK_UNKNOWN_HOST): .unknownHost
        case -Int(MPIN_HOOK_UNTRUSTED): .untrusted
        default: .unreachable
        }
    }

    /// Whether the key with a fingerprint has signed an answer to this challenge.
    private func proves(_ answer: Span<UInt8>, _ challenge: [UInt8], _ fingerprint: String) throws -> Bool {
        let key = try HelloResponse.decode(answer).serverKey.bytes
        let found = try KeyFingerprint(of: key)
        guard found.text == fingerprint, let (count, signature) = AnswerProof.split(answer) else { return false }
        let digest = try ServerStatement.answer(
            .hello, keyHash: found.bytes, request: challenge, status: 200, body: answer.extracting(0..<count))
        return try DevicePublicKey(kept: key).verifies(signature, over: digest)
    }
}
