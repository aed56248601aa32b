// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinCrypto
import MPinWire

/// One login in progress: pass 1 was answered, pass 2 is ready to be sent.
struct Login: Sendable {
    let mpinID: String
    let v: [UInt8]
    let passID: String?
    let answer: Answer

    /// Does pass 1 and calculates V.
    init(_ enrolled: ClientRegistration, pin: String = "1234", permit: ClientRegistration.Permit, at peer: some Peer)
        throws
    {
        guard let day = PermitDay(permit.day) else { throw CryptoError.invalidDate }
        let session = try ClientSession(
            identity: enrolled.identity, token: secret(enrolled.token), factor: factor(pin),
            permit: secret(permit.bytes),
            day: day)
        mpinID = enrolled.mpinID
        answer = try peer.post(
            "/rps/pass1", ["pass": 1, "mpin_id": mpinID, "U": hex(session.u), "UT": hex(session.ut ?? [])])
        guard answer.status == 200 else { throw ClientRegistration.Failed(step: "pass 1", answer: answer) }
        passID = answer.object["passId"] as? String
        v = try session.answer(challenge: unhex(answer.string("y")))
    }

    /// Permit and pass 1 in one.
    init(_ enrolled: ClientRegistration, pin: String = "1234", at peer: some Peer) throws {
        try self.init(enrolled, pin: pin, permit: enrolled.permit(at: peer), at: peer)
    }

    /// The body of pass 2.
    func body(named: Bool = true, wid: String = "0") -> [String: Any] {
        var object: [String: Any] = ["pass": 2, "mpin_id": mpinID, "V": hex(v), "WID": wid, "OTP": false]
        if named { object["passId"] = passID }
        return object
    }

    /// Sends pass 2.
    func passTwo(at peer: some Peer, named: Bool = true, wid: String = "0") throws -> Answer {
        try peer.post("/rps/pass2", body(named: named, wid: wid))
    }

    /// Sends pass 2 and asks for the result.
    func finish(at peer: some Peer, named: Bool = true) throws -> Answer {
        let second = try passTwo(at: peer, named: named)
        guard second.status == 200 else { return second }
        return try Self.redeem(second, at: peer)
    }

    /// Asks for the result behind an answer to pass 2.
    static func redeem(_ second: Answer, at peer: some Peer) throws -> Answer {
        try peer.post(
            "/mpinAuthenticate", ["mpinResponse": ["authOTT": second.string("authOTT"), "version": "0.3", "pass": 2]])
    }
}

extension ClientRegistration {
    /// A whole login.
    func login(pin: String = "1234", named: Bool = true, at peer: some Peer) throws -> Answer {
        try Login(self, pin: pin, at: peer).finish(at: peer, named: named)
    }
}

extension Fixture {
    /// Invites and registers a user.
    func enroll(_ user: String = "alice", pin: String = "1234") throws -> ClientRegistration {
        try ClientRegistration.register(user, code: invite(user), pin: pin, at: self)
    }

    /// A server with the registration of a client of 2016.
    static func enrolled(
        configuration: String? = nil, publicURL: String? = nil, clock: ManualClock = ManualClock()
    ) throws -> (Fixture, ClientRegistration) {
        let fixture = try Fixture(configuration: configuration, publicURL: publicURL, clock: clock)
        return (fixture, try fixture.enroll())
    }
}
