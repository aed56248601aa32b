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

/// A code as clients with a device key use it.
struct NamedCodePeer {
    let name: [UInt8]
    private let symbols: [UInt8]

    init(_ code: String) throws {
        symbols = EnrollmentCode.symbols(code) ?? []
        name = try CodeSecret(symbols: symbols).name
    }

    func clientProof(_ user: String, key: [UInt8], _ serverKeyHash: [UInt8]) throws -> [UInt8] {
        try CodeSecret(symbols: symbols).clientProof(
            user: Array(user.utf8), deviceKey: key, serverKeyHash: serverKeyHash)
    }

    func serverProof(_ user: String, key: [UInt8], _ serverKeyHash: [UInt8]) throws -> [UInt8] {
        try CodeSecret(symbols: symbols).serverProof(
            user: Array(user.utf8), deviceKey: key, serverKeyHash: serverKeyHash)
    }

    func helloProof(_ user: String, _ challenge: [UInt8], _ serverKeyHash: [UInt8]) throws -> [UInt8] {
        try CodeSecret(symbols: symbols).helloProof(
            user: Array(user.utf8), challenge: challenge, serverKeyHash: serverKeyHash)
    }

    /// What a request contains instead of the code.
    func members(_ user: String, key: [UInt8], _ serverKeyHash: [UInt8]) throws -> [String: Any] {
        ["codeName": hex(name), "codeProof": hex(try clientProof(user, key: key, serverKeyHash))]
    }
}
