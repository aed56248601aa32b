// SPDX-License-Identifier: Apache-2.0
package import MPinCrypto
package import MPinWire

/// The key of a server, and the proofs that it makes: the right server's, or an attacker's.
package final class ServerSigner: @unchecked Sendable {
    private let key: DeviceKey
    /// 65 bytes.
    package let publicKey: HexText
    /// Their SHA-256.
    package let keyHash: [UInt8]

    package init() throws {
        key = try DeviceKey.generate()
        publicKey = HexText(bytes: key.publicKey.bytes)
        keyHash = try Hash.sha256(key.publicKey.bytes)
    }

    package var fingerprint: String { HexText(bytes: keyHash).string }

    /// Ends an answer in a proof. A body that cannot have one is replaced.
    package func prove(_ answer: Answer, _ kind: ServerStatement.Kind, _ request: [UInt8]) -> Answer {
        var answer = answer
        if AnswerProof.signedCount(of: answer.body.span) == nil { answer.body = Array("{\"message\":\"none\"}".utf8) }
        let body = Array(answer.body.dropLast())
        guard
            let digest = try? ServerStatement.answer(
                kind, keyHash: keyHash, request: request, status: answer.status, body: body.span),
            let signature = try? key.sign(digest)
        else { return .status(500) }
        answer.body = body + AnswerProof.tail(signature)
        return answer
    }
}
