// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinCrypto
import MPinWire

/// A server's key, with which a client checks its answers.
struct ServerKeyPeer {
    let publicKey: [UInt8]
    var hash: [UInt8] { (try? Hash.sha256(publicKey)) ?? [] }

    init(at peer: some Peer) throws {
        publicKey = unhex(try peer.get("/rps/clientSettings").string("serverKey"))
    }

    /// Whether an answer ends in this server's proof for a request.
    func proves(_ answer: Answer, _ kind: ServerStatement.Kind, for request: [UInt8]) throws -> Bool {
        guard let proof = AnswerProof.split(answer.body.span) else { return false }
        let digest = try ServerStatement.answer(
            kind, keyHash: hash, request: request, status: answer.status,
            body: answer.body.span.extracting(0..<proof.signedCount))
        return DevicePublicKey(kept: publicKey).accepts(proof.signature, over: digest)
    }
}
