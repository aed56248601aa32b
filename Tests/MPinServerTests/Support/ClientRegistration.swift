// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinCrypto
import MPinServer
import MPinWire

/// A registration as an honest client has it.
struct ClientRegistration: Sendable {
    let user: String
    /// As the server wrote it.
    let mpinID: String
    let token: [UInt8]

    var identity: Identity {
        get throws { try Identity(mpinID: unhex(mpinID)) }
    }

    /// Registers with a code, as clients do.
    static func register(_ user: String, code: String, pin: String = "1234", at peer: some Peer) throws
        -> ClientRegistration
    {
        let begun = try peer.put(
            "/rps/user", ["userId": user, "mobile": 1, "deviceName": "test", "activateCode": code])
        guard begun.status == 200 else { throw Failed(step: "register", answer: begun) }
        return try finish(user, mpinID: begun.string("mpinId"), regOTT: begun.string("regOTT"), pin: pin, at: peer)
    }

    /// Fetches both shares and makes the token.
    ///
    /// - Parameter proof: what a device's key adds to the query.
    static func finish(
        _ user: String, mpinID: String, regOTT: String, pin: String = "1234", proof: String = "", at peer: some Peer
    ) throws -> ClientRegistration {
        let first = try peer.get("/rps/signature/\(mpinID)?regOTT=\(regOTT)\(proof)")
        guard first.status == 200 else { throw Failed(step: "signature", answer: first) }
        let second = try peer.get("/dta/clientSecret?\(first.string("params"))")
        guard second.status == 200 else { throw Failed(step: "client secret", answer: second) }
        let whole = try Shares.recombine(
            secret(unhex(first.string("clientSecretShare"))), secret(unhex(second.string("clientSecret"))))
        let token = try ClientToken.extract(
            identity: Identity(mpinID: unhex(mpinID)), factor: factor(pin), clientSecret: whole)
        return ClientRegistration(user: user, mpinID: mpinID, token: plain(token))
    }

    static func finish(_ user: String, _ begun: Answer, at peer: some Peer) throws -> ClientRegistration {
        try finish(user, mpinID: begun.string("mpinId"), regOTT: begun.string("regOTT"), at: peer)
    }

    /// Logs in and revokes a registration of the user.
    func revoke(_ mpinID: String, pin: String = "1234", at peer: some Peer) throws -> Answer {
        let second = try Login(self, pin: pin, at: peer).passTwo(at: peer)
        let response = ["authOTT": second.string("authOTT")]
        return try peer.post("/mpinRevoke", ["mpinResponse": response, "revoke": mpinID])
    }

    /// Today's permit.
    func permit(at peer: some Peer) throws -> Permit {
        let first = try peer.get("/rps/timePermit/\(mpinID)")
        guard first.status == 200 else { throw Failed(step: "permit", answer: first) }
        let second = try peer.get(
            "/dta/timePermit?hash_mpin_id=\(first.string("storageId"))&app_id=x&mobile=1&signature=\(first.string("signature"))"
        )
        guard second.status == 200 else { throw Failed(step: "second permit", answer: second) }
        let whole = try Shares.recombine(
            secret(unhex(first.string("timePermit"))), secret(unhex(second.string("timePermit"))))
        return Permit(day: first.object["date"] as? Int ?? 0, bytes: plain(whole))
    }

    struct Permit: Sendable {
        let day: Int
        let bytes: [UInt8]
    }

    struct Failed: Error {
        let step: String
        let answer: Answer
    }
}
