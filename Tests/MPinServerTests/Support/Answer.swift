// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinWire

/// What a server answered.
struct Answer: Sendable {
    let status: Int
    let body: [UInt8]
    var headers: [String: String] = [:]

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body without the server's proof, which is another one for each request.
    var unproven: String {
        guard let proof = AnswerProof.split(body.span) else { return text }
        return String(decoding: body.prefix(proof.signedCount), as: UTF8.self) + "}"
    }

    /// The members of an answer that is an object.
    var object: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
    }

    func string(_ name: String) -> String { object[name] as? String ?? "" }
}

/// Anything that answers requests: a server in this process, or one behind a socket.
protocol Peer: Sendable {
    func send(_ method: String, _ target: String, _ body: [UInt8]) throws -> Answer
}

extension Peer {
    func get(_ target: String) throws -> Answer { try send("GET", target, []) }

    /// The first share for a registration that was begun.
    func share(_ begun: Answer) throws -> Answer {
        try get("/rps/signature/\(begun.string("mpinId"))?regOTT=\(begun.string("regOTT"))")
    }

    func post(_ target: String, _ body: [UInt8]) throws -> Answer { try send("POST", target, body) }

    func post(_ target: String, _ object: [String: Any]) throws -> Answer {
        try send("POST", target, Array(JSONSerialization.data(withJSONObject: object)))
    }

    func put(_ target: String, _ object: [String: Any]) throws -> Answer {
        try send("PUT", target, Array(JSONSerialization.data(withJSONObject: object)))
    }
}
