// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerRoles
import MPinServerStorage

/// A session that waits, as its side has it.
struct Waiting: Sendable {
    /// The number, or what follows the `#` of the link.
    let code: String
    let webOTT: String
    let answer: Answer

    /// Opens one.
    init(at peer: some Peer, link: Bool = false) throws {
        answer = try peer.post(link ? "/rps/getQrUrl" : "/rps/getAccessNumber", [UInt8]())
        guard answer.status == 200 else { throw ClientRegistration.Failed(step: "access number", answer: answer) }
        code = link ? String(answer.string("qrUrl").drop { $0 != "#" }.dropFirst()) : answer.string("accessNumber")
        webOTT = answer.string("webOTT")
    }

    /// Asks for the state of the session.
    func poll(at peer: some Peer) throws -> Answer { try peer.post("/rps/access", ["webOTT": webOTT]) }

    /// The status that a poll shows.
    func status(at peer: some Peer) throws -> String { try poll(at: peer).string("status") }

    /// Takes the login up that a poll shows.
    func enter(at peer: some Peer) throws -> Answer {
        try peer.post("/mpinAuthenticate", ["mpinResponse": ["authOTT": poll(at: peer).string("authOTT")]])
    }
}

extension Fixture {
    /// A device's login for a code, up to the request that waits.
    func approve(
        _ enrolled: ClientRegistration, pin: String = "1234", _ code: String, from source: RequestSource = .user(1_000)
    ) throws -> RouteResult {
        let device = from(source)
        let second = try Login(enrolled, pin: pin, at: device).passTwo(at: device, wid: code)
        guard second.status == 200 else { throw ClientRegistration.Failed(step: "pass 2", answer: second) }
        return bring(second, from: source)
    }

    /// Brings the result of a pass 2 to the waiting session.
    func bring(_ second: Answer, from source: RequestSource = .user(1_000)) -> RouteResult {
        let body = "{\"mpinResponse\":{\"authOTT\":\"\(second.string("authOTT"))\"}}"
        return outcome("POST", "/rps/authenticate", Array(body.utf8), from: source)
    }
}

extension RouteResult {
    /// The answer, if there is one yet.
    var answer: Answer? {
        switch self {
        case .now(let response): Answer(response)
        case .later(let hold): hold.response.map { Answer($0) }
        }
    }

    /// The status of the answer, or 0 before it.
    var status: Int { answer?.status ?? 0 }

    var hold: DeferredResponse? { if case .later(let hold) = self { hold } else { nil } }
}
