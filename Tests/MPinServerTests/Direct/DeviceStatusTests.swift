// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinCrypto
import MPinServer
import Testing

/// The answers about a registration before a PIN is typed: to its own device, and to others.
@Suite struct DeviceStatusTests {
    /// The body of a request.
    ///
    /// - Parameter signer: the key to use instead of the device's own.
    private func body(
        _ device: Device, word: String = "status", regOTT: [UInt8] = [], time: Int64? = nil,
        signer: DeviceSecret? = nil, serverID: [UInt8]? = nil
    ) throws -> [String: Any] {
        let time = time ?? device.now()
        let digest = try DeviceStatement.request(
            Array(word.utf8), serverID: serverID ?? device.serverID, mpinID: unhex(device.enrolled.mpinID),
            time: UInt64(time), regOTT: regOTT)
        return [
            "mpin_id": device.enrolled.mpinID, "time": time,
            "deviceSignature": hex(try (signer ?? device.key).sign(digest)),
        ]
    }

    private func ask(_ device: Device, at peer: some Peer) throws -> Answer {
        try peer.post("/mpinStatus", body(device))
    }

    @Test func `a device learns how many tries are left`() throws {
        let fixture = try Fixture()
        let alice = try fixture.device()
        #expect(try ask(alice, at: fixture).unproven == "{\"attemptsLeft\":3}")
        #expect(try alice.login(pin: "9999", at: fixture).status == 401)
        #expect(try ask(alice, at: fixture).object["attemptsLeft"] as? Int == 2)
        for _ in 1...2 { _ = try alice.login(pin: "9999", at: fixture) }
        #expect(try ask(alice, at: fixture).object["attemptsLeft"] as? Int == 0)
        #expect(try fixture.administrator.unblock("alice") == 1)
        #expect(try ask(alice, at: fixture).object["attemptsLeft"] as? Int == 3)
    }

    @Test func `a revoked device learns the reason, until the user is restored`() throws {
        let fixture = try Fixture()
        let alice = try fixture.device()
        _ = try fixture.administrator.revoke("alice", reason: "left the house")
        let refused = try ask(alice, at: fixture)
        #expect(refused.status == 403 && refused.string("reason") == "left the house")
        _ = try fixture.administrator.restore("alice")
        #expect(try ask(alice, at: fixture).status == 200)
    }

    @Test func `questions change nothing, however many there are`() throws {
        let fixture = try Fixture(configuration: "failures_per_source = 3\n")
        let alice = try fixture.device()
        let audit = try fixture.auditText()
        let request = try body(alice)
        for _ in 1...20 { #expect(try fixture.post("/mpinStatus", request).status == 200) }
        #expect(try fixture.auditText() == audit)
        #expect(try alice.login(at: fixture).object["wrongSinceLastLogin"] as? Int == 0)
    }

    @Test func `a client without a signature learns nothing`() throws {
        let fixture = try Fixture(configuration: "failures_per_source = 100000\n")
        let (alice, bob) = (try fixture.device(), try fixture.device("bob"))
        let keyless = try fixture.enroll("carol")
        let moved = Device(enrolled: keyless, key: alice.key, serverID: alice.serverID, now: alice.now)
        _ = try fixture.administrator.revoke("bob", reason: "stolen")
        let requests = try [
            body(alice, signer: DeviceSecret()), body(bob, signer: DeviceSecret()), body(moved),
            body(alice, word: "signature"), body(alice, regOTT: [0]), body(alice, serverID: [1]),
            body(alice).merging(["mpin_id": "7b7d"]) { $1 },
        ]
        let answers = try requests.map { try fixture.post("/mpinStatus", $0) }
        #expect(answers.allSatisfy { $0.status == 404 })
        #expect(Set(answers.map(\.unproven)).count == 1)
    }

    @Test func `a time far from the server's is refused with the one to take`() throws {
        let fixture = try Fixture()
        let alice = try fixture.device()
        let now = fixture.milliseconds
        for time in [now - 90_001, now + 90_001] {
            let answer = try fixture.post("/mpinStatus", body(alice, time: time))
            #expect(answer.status == 408 && answer.object["nowTime"] as? Int64 == now)
        }
        #expect(try fixture.post("/mpinStatus", body(alice, time: now - 90_000)).status == 200)
        // A signature of the device is useless later.
        let request = try body(alice)
        fixture.clock.advance(91)
        #expect(try fixture.post("/mpinStatus", request).status == 408)
    }

    @Test func `unknown devices of a source are limited, and those that sign are not`() throws {
        let fixture = try Fixture(configuration: "failures_per_source = 3\n")
        let alice = try fixture.device()
        let wrong = try body(alice, signer: DeviceSecret())
        let statuses = try (0..<4).map { _ in try fixture.post("/mpinStatus", wrong).status }
        #expect(statuses == [404, 404, 404, 429])
        #expect(try ask(alice, at: fixture).status == 200)
    }

    @Test func `a signature for the status does not work for a registration`() throws {
        let fixture = try Fixture()
        let key = try DeviceSecret()
        let serverID = unhex(try fixture.get("/rps/clientSettings").string("serverId"))
        let begun = try fixture.put(
            "/rps/user",
            ["userId": "alice", "activateCode": fixture.invite("alice"), "deviceKey": hex(key.publicKey)])
        let (mpinID, regOTT) = (begun.string("mpinId"), begun.string("regOTT"))
        let proof = try Device.proof("status", mpinID, regOTT, key, serverID, at: fixture.milliseconds)
        #expect(try fixture.get("/rps/signature/\(mpinID)?regOTT=\(regOTT)\(proof)").status == 400)
        // An unfinished registration has no status either.
        let clock = fixture.clock
        let unfinished = Device(
            enrolled: ClientRegistration(user: "alice", mpinID: mpinID, token: []), key: key, serverID: serverID,
            now: { clock.wall * 1_000 })
        #expect(try ask(unfinished, at: fixture).status == 404)
    }
}
