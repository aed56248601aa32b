// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

/// A registration without a key gets one at the end of a login.
@Suite struct BindingTests {
    private func device(_ enrolled: ClientRegistration, _ key: DeviceSecret, at fixture: Fixture) throws -> Device {
        let serverID = unhex(try fixture.get("/rps/clientSettings").string("serverId"))
        return Device(enrolled: enrolled, key: key, serverID: serverID, now: { fixture.milliseconds })
    }

    @Test func `the key of a login that verified is the registration's from then on`() throws {
        let fixture = try Fixture()
        let alice = try fixture.enroll()
        #expect(try !fixture.shown().hasDeviceKey)
        let binding = try Binding(alice, at: fixture)
        let answer = try binding.send(at: fixture)
        #expect(answer.status == 200 && answer.string("userId") == "alice")
        #expect(try fixture.shown().hasDeviceKey)
        #expect(try fixture.auditText().contains("device-key alice uid 1000 alice device 1"))
        try fixture.restart()
        #expect(try device(alice, binding.key, at: fixture).login(at: fixture).status == 200)
        #expect(try fixture.get("/rps/timePermit/\(alice.mpinID)").status == 410)
    }

    @Test func `a repeated key succeeds, another and none are refused`() throws {
        let fixture = try Fixture()
        let alice = try fixture.enroll()
        let key = try DeviceSecret()
        let same = try (0..<2).map { _ in try Binding(alice, key: key, at: fixture) }
        let other = try Binding(alice, at: fixture)
        let none = try (0..<3).map { _ in try Login(alice, at: fixture).passTwo(at: fixture) }
        #expect(try same.map { try $0.send(at: fixture).status } == [200, 200])
        #expect(try other.send(at: fixture).status == 409)
        // As the results of an unknown M-Pin ID.
        let unknown = try Login.redeem(none[0], at: fixture)
        #expect(unknown.status == 401 && unknown.object["attemptsLeft"] == nil)
        for (second, path) in zip(none.dropFirst(), ["/mpinRevoke", "/mpinOwner"]) {
            let body: [String: Any] = [
                "mpinResponse": ["authOTT": second.string("authOTT")], "action": "devices", "revoke": alice.mpinID,
            ]
            #expect(try fixture.post(path, body).text == unknown.text)
        }
        #expect(try device(alice, key, at: fixture).login(at: fixture).status == 200)
        #expect(try device(alice, other.key, at: fixture).login(at: fixture).status == 404)
        let audit = try fixture.auditText().split(separator: "\n")
        #expect(audit.filter { $0.hasPrefix("device-key ") }.count == 1)
        #expect(audit.filter { $0.hasPrefix("login ") }.count == 3)
    }

    @Test func `of two keys at once one is bound`() throws {
        let fixture = try Fixture()
        let alice = try fixture.enroll()
        let bindings = try (0..<16).map { _ in try Binding(alice, at: fixture) }
        let statuses = try onThreads(16) { try bindings[$0].send(at: fixture).status }
        #expect(statuses.filter { $0 == 200 }.count == 1 && statuses.filter { $0 == 409 }.count == 15)
        let winner = bindings[statuses.firstIndex(of: 200) ?? 0].key
        #expect(try device(alice, winner, at: fixture).login(at: fixture).status == 200)
    }

    @Test func `a key that has not signed this login is refused, and none is bound`() throws {
        let fixture = try Fixture()
        let alice = try fixture.enroll()
        let bob = try fixture.enroll("bob")
        let elsewhere = try Login(bob, at: fixture).passTwo(at: fixture).string("authOTT")
        var offCurve = try DeviceSecret().publicKey
        offCurve[64] ^= 1
        let bad = try [
            Binding(alice, signer: DeviceSecret(), at: fixture), Binding(alice, signedHandle: elsewhere, at: fixture),
            Binding(alice, publicKey: offCurve, at: fixture), Binding(alice, otp: true, at: fixture),
            Binding(alice, publicKey: [UInt8](repeating: 0, count: 65), at: fixture),
        ]
        for binding in bad { #expect(try binding.send(at: fixture).status == 400) }
        for pin in ["9999", "1234"] {
            let binding = try Binding(alice, pin: pin, at: fixture)
            if pin == "1234" { _ = try fixture.administrator.revoke("alice", reason: nil) }
            #expect(try binding.send(at: fixture).status == (pin == "1234" ? 403 : 401))
        }
        #expect(try !fixture.shown().hasDeviceKey)
        _ = try fixture.administrator.restore("alice")
        #expect(try alice.login(at: fixture).status == 200)
    }

    @Test func `other final calls bind nothing`() throws {
        let fixture = try Fixture()
        let alice = try fixture.enroll()
        #expect(try Binding(alice, at: fixture).send("/mpinOwner", ["action": "devices"], at: fixture).status == 200)
        #expect(try Binding(alice, at: fixture).send("/mpinRevoke", ["revoke": "7b7d"], at: fixture).status == 404)
        #expect(try !fixture.shown().hasDeviceKey)
    }

    @Test func `administrators see which registrations have a key`() throws {
        let server = try RunningServer()
        _ = try server.enroll("alice")
        _ = try server.device("bob")
        for (user, has) in [("alice", false), ("bob", true)] {
            let devices = try server.command("user", "show", user).object["devices"] as? [[String: Any]]
            #expect(devices?.first?["deviceKey"] as? Bool == has)
            let text = try Program.run(["user", "show", user, "--dir", server.directory]).output
            #expect(text.contains("with a device key") == has)
        }
        let list = try Program.run(["device", "list", "--dir", server.directory]).output
        #expect(list.split(separator: "\n").map { $0.contains("yes") } == [false, true], "\(list)")
    }
}
