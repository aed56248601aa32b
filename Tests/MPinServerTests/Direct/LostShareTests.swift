// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinCrypto
import MPinServer
import MPinServerStorage
import Testing

/// Registrations whose share was given away and lost: the device that has the key replaces them by a restart.
@Suite struct LostShareTests {
    /// A registration with a key that was begun.
    private struct Begun {
        let mpinID: String
        let regOTT: String

        init(_ answer: Answer) {
            (mpinID, regOTT) = (answer.string("mpinId"), answer.string("regOTT"))
        }
    }

    private let key: DeviceSecret
    private let fixture: Fixture
    private let serverID: [UInt8]

    init() throws {
        (key, fixture) = (try DeviceSecret(), try Fixture())
        serverID = unhex(try fixture.get("/rps/clientSettings").string("serverId"))
    }

    private func begin(_ code: String, key: DeviceSecret? = nil) throws -> Begun {
        let publicKey = hex((key ?? self.key).publicKey)
        return Begun(try fixture.put("/rps/user", ["userId": "alice", "activateCode": code, "deviceKey": publicKey]))
    }

    private func signature(_ begun: Begun) throws -> Answer {
        let proof = try Device.proof("signature", begun.mpinID, begun.regOTT, key, serverID, at: fixture.milliseconds)
        return try fixture.get("/rps/signature/\(begun.mpinID)?regOTT=\(begun.regOTT)\(proof)")
    }

    private func restart(
        _ begun: Begun, signer: DeviceSecret? = nil, regOTT: String? = nil, user: String = "alice", code: String? = nil
    ) throws -> Answer {
        let (time, regOTT) = (fixture.milliseconds, regOTT ?? begun.regOTT)
        let digest = try DeviceStatement.request(
            Array("restart".utf8), serverID: serverID, mpinID: unhex(begun.mpinID), time: UInt64(time),
            regOTT: unhex(regOTT))
        var body: [String: Any] = [
            "userId": user, "regOTT": regOTT, "deviceName": "again", "deviceKey": hex(key.publicKey), "time": time,
            "deviceSignature": hex(try (signer ?? key).sign(digest)),
        ]
        if let code { body["activateCode"] = code }
        return try fixture.put("/rps/user/\(begun.mpinID)", body)
    }

    private func finish(_ begun: Begun, key: DeviceSecret? = nil) throws -> Device {
        let key = key ?? self.key
        let proof = try Device.proof("signature", begun.mpinID, begun.regOTT, key, serverID, at: fixture.milliseconds)
        let enrolled = try ClientRegistration.finish(
            "alice", mpinID: begun.mpinID, regOTT: begun.regOTT, proof: proof, at: fixture)
        let clock = fixture.clock
        return Device(enrolled: enrolled, key: key, serverID: serverID, now: { clock.wall * 1_000 })
    }

    private func statesInForce() throws -> [String] {
        try fixture.administrator.user("alice").devices.filter { $0.revoked == nil }.map(\.state.rawValue)
    }

    @Test func `the device continues with another M-Pin ID, and the old one is revoked`() throws {
        let code = try fixture.invite("alice")
        let first = try begin(code)
        #expect(try signature(first).status == 200)
        fixture.clock.advance(120)
        // The share is not given a second time.
        #expect(try signature(first).status == 400)
        let answer = try restart(first)
        #expect(answer.status == 200 && answer.object["active"] as? Bool == true)
        #expect(answer.object["device"] as? Int == 2)
        let second = Begun(answer)
        #expect(second.mpinID != first.mpinID && second.regOTT != first.regOTT)
        #expect(try signature(first).status == 403)
        #expect(try statesInForce() == ["ACTIVATED"])
        let alice = try finish(second)
        #expect(try alice.login(at: fixture).status == 200)
        #expect(try statesInForce() == ["REGISTERED"])
        #expect(try fixture.shown().name == "again")
        #expect(try fixture.auditText().contains("replace alice uid 1000 - had never logged in"))
        // The login has used up the code of the first registration.
        #expect(try fixture.put("/rps/user", ["userId": "alice", "activateCode": code]).status == 403)
    }

    @Test func `a registration that has logged in, or had a wrong PIN, is not replaced`() throws {
        for pin in ["1234", "9999"] {
            let first = try begin(try fixture.invite("alice"))
            let alice = try finish(first)
            #expect(try alice.login(pin: pin, at: fixture).status == (pin == "1234" ? 200 : 401))
            // It begins a registration of its own, which needs a code.
            #expect(try restart(first).status == 403)
            #expect(try alice.login(at: fixture).status == 200)
        }
    }

    @Test func `only the device with its token replaces`() throws {
        let first = try begin(try fixture.invite("alice"))
        let alice = try finish(first)
        #expect(try restart(first, signer: DeviceSecret()).status == 403)
        #expect(try restart(first, regOTT: String(first.regOTT.reversed())).status == 400)
        #expect(try restart(first, user: "mallory").status == 403)
        _ = try fixture.administrator.revoke("alice", reason: nil)
        #expect(try restart(first).status == 403)
        _ = try fixture.administrator.restore("alice")
        #expect(try alice.login(at: fixture).status == 200)
    }

    @Test func `an expired registration is not replaced`() throws {
        let first = try begin(try fixture.invite("alice"))
        #expect(try signature(first).status == 200)
        fixture.clock.advance(3_600)
        #expect(try restart(first).status == 403)
    }

    @Test func `a replaced registration is not replaced again, and its code leads to no other one`() throws {
        let code = try fixture.invite("alice")
        let first = try begin(code)
        #expect(try signature(first).status == 200)
        let second = Begun(try restart(first))
        #expect(try restart(first).status == 403)
        // A code allows one registration that can log in, however it was made.
        let other = try DeviceSecret()
        let third = try begin(code, key: other)
        #expect(try signature(second).status == 403)
        let alice = try finish(third, key: other)
        #expect(try alice.login(at: fixture).status == 200)
        #expect(try fixture.put("/rps/user", ["userId": "alice", "activateCode": code]).status == 403)
    }

    @Test func `of many restarts at once one replaces`() throws {
        let first = try begin(try fixture.invite("alice"))
        #expect(try signature(first).status == 200)
        let statuses = try onThreads(8) { _ in try restart(first).status }
        #expect(statuses.filter { $0 == 200 }.count == 1)
        #expect(try statesInForce() == ["ACTIVATED"])
    }
}
