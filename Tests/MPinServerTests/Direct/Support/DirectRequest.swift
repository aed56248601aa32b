// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinCrypto

/// A direct login on its way. Whatever is changed in it stays as it was signed.
struct DirectRequest: Sendable {
    var mpinID: String
    var u: [UInt8]
    var v: [UInt8]
    var time: Int64
    var purpose: String
    var argument: String
    var signature: [UInt8]
    private let digest: [UInt8]

    /// Answers the challenge that it makes, and signs.
    ///
    /// - Parameter signer: the key to use instead of the device's own.
    init(
        _ device: Device, pin: String = "1234", _ purpose: String = "login", _ argument: String = "",
        time: Int64? = nil, serverID: [UInt8]? = nil, signer: DeviceSecret? = nil
    ) throws {
        let session = try ClientSession(
            identity: device.enrolled.identity, token: secret(device.enrolled.token), factor: factor(pin))
        let u = session.u
        let time = time ?? device.now()
        let said = DirectLogin(
            serverID: serverID ?? device.serverID, mpinID: unhex(device.enrolled.mpinID), time: UInt64(time), u: u,
            purpose: Array(purpose.utf8), argument: Array(argument.utf8))
        let v = try session.answer(challenge: said.challenge())
        (mpinID, self.u, self.v, self.time) = (device.enrolled.mpinID, u, v, time)
        (self.purpose, self.argument) = (purpose, argument)
        digest = try said.digest(v: v)
        signature = try (signer ?? device.key).sign(digest)
    }

    /// What identifies the request in the server's proof.
    var subject: [UInt8] {
        get throws { try ServerStatement.signedRequest(digest, signature: signature) }
    }

    var body: [UInt8] {
        get throws { try Array(JSONSerialization.data(withJSONObject: object)) }
    }

    var object: [String: Any] {
        var object: [String: Any] = [
            "mpin_id": mpinID, "U": hex(u), "V": hex(v), "time": time, "purpose": purpose, "signature": hex(signature),
        ]
        if !argument.isEmpty { object["argument"] = argument }
        return object
    }

    func send(at peer: some Peer) throws -> Answer { try peer.post("/mpinDirect", body) }

    /// Sends it again, as the server asks, while others wait for a slow disk.
    func sendUntilJudged(at peer: some Peer) throws -> Answer {
        let end = ContinuousClock.now + .seconds(60)
        var answer = try send(at: peer)
        while [429, 503].contains(answer.status), .now < end {
            usleep(50_000)
            answer = try send(at: peer)
        }
        return answer
    }
}
