// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

/// `legacy` in server.conf: how the server treats registrations without a key.
@Suite struct LegacyTests {
    private func set(_ policy: String, at fixture: Fixture) throws {
        try Data("legacy = \(policy)\n".utf8).write(to: URL(fileURLWithPath: fixture.path + "/server.conf"))
        try fixture.restart()
    }

    @Test(.onSQLite, arguments: ["enrolled", "refuse"])
    func `new registrations need a key, and those with one are served`(policy: String) throws {
        let fixture = try Fixture(configuration: "hold_unverified = yes\n")
        let held = try fixture.put("/rps/user", ["userId": "alice"])
        #expect(held.status == 200)
        try set(policy, at: fixture)
        let code = try fixture.invite("alice")
        let refused = try fixture.put("/rps/user", ["userId": "alice", "activateCode": code])
        #expect(refused.status == 403 && refused.string("message").contains("device key"))
        #expect(try fixture.auditText().contains("register-refused alice uid 1000 - no device key"))
        // A waiting registration is not finished either.
        let again = try fixture.put(
            "/rps/user/\(held.string("mpinId"))",
            ["userId": "alice", "regOTT": held.string("regOTT"), "activateCode": code])
        #expect(again.status == 403)
        let clock = fixture.clock
        let alice = try Device.register(
            "alice", code: code, key: DeviceSecret(), at: fixture, now: { clock.wall * 1_000 })
        #expect(try alice.login(at: fixture).status == 200)
    }

    @Test(.onSQLite) func `those that are enrolled log in, or are unknown`() throws {
        let (fixture, alice) = try Fixture.enrolled()
        let gone = try fixture.enroll("gone")
        let permits = try [alice, gone].map { try $0.permit(at: fixture) }
        let query = try fixture.get("/rps/timePermit/\(alice.mpinID)")
        let second =
            "/dta/timePermit?hash_mpin_id=\(query.string("storageId"))&app_id=x&mobile=1&signature="
            + query.string("signature")
        _ = try fixture.administrator.purge("gone")
        try set("enrolled", at: fixture)
        #expect(try alice.login(at: fixture).status == 200)
        try set("refuse", at: fixture)
        #expect(try fixture.get(second).status == 410)
        for path in ["/rps/timePermit/ID", "/rps/signature/ID?regOTT=00112233445566778899aabbccddeeff"] {
            let answers = try [alice, gone].map { try fixture.get(path.replacing("ID", with: $0.mpinID)) }
            #expect(answers[0].status >= 400 && answers[0].text == answers[1].text, "\(path)")
        }
        for pin in ["1234", "9999"] {
            let answers = try zip([alice, gone], permits).map {
                try Login($0, pin: pin, permit: $1, at: fixture).finish(at: fixture)
            }
            #expect(answers[0].status == 401 && answers[0].text == answers[1].text)
        }
        #expect(try fixture.shown().failures == 0)
        try set("allow", at: fixture)
        #expect(try alice.login(at: fixture).status == 200)
    }

    @Test(.onSQLite) func `administrators see users whom the policy shuts out`() throws {
        let (fixture, alice) = try Fixture.enrolled()
        try set("refuse", at: fixture)
        #expect(try fixture.get("/rps/timePermit/\(alice.mpinID)").status == 410)
        #expect(
            try fixture.auditText().contains("refused alice uid 1000 - device 1: no device key, and legacy = refuse"))
        // One source writes few lines.
        for _ in 0..<200 { _ = try fixture.get("/rps/timePermit/\(alice.mpinID)") }
        #expect(try fixture.auditText().split(separator: "\n").count { $0.contains("legacy = refuse") } < 80)
    }

    @Test func `a registration without a key never gets one`() throws {
        let (fixture, alice) = try Fixture.enrolled(configuration: "hold_unverified = yes\n")
        let key = try hex(DeviceSecret().publicKey)
        for path in ["/mpinAuthenticate", "/mpinOwner"] {
            let handle = try Login(alice, at: fixture).passTwo(at: fixture).string("authOTT")
            let body: [String: Any] = [
                "mpinResponse": ["authOTT": handle], "action": "devices", "deviceKey": key,
                "deviceSignature": String(repeating: "0", count: 128),
            ]
            #expect(try fixture.post(path, body).status == 200)
        }
        #expect(try !fixture.shown().hasDeviceKey)
        #expect(try alice.login(at: fixture).status == 200)
        // A restart with a key does not continue a registration without one: it begins another.
        let held = try fixture.put("/rps/user", ["userId": "bob"])
        let other = try fixture.put(
            "/rps/user/\(held.string("mpinId"))",
            [
                "userId": "bob", "regOTT": held.string("regOTT"), "activateCode": fixture.invite("bob"),
                "deviceKey": key,
            ])
        #expect(other.status == 200 && other.string("mpinId") != held.string("mpinId"))
        #expect(try fixture.administrator.user("bob").devices.map(\.hasDeviceKey) == [false, true])
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
        let list = try Program.run(["user", "devices", "--dir", server.directory]).output
        #expect(list.split(separator: "\n").map { $0.contains("yes") } == [false, true], "\(list)")
    }

    @Test func `the server and its commands name the users whom 'refuse' shuts out`() throws {
        let server = try RunningServer()
        #expect(try server.enroll("alice").login(at: server.peer).status == 200)
        #expect(try server.device("bob").login(at: server.peer).status == 200)
        #expect(server.stop() == 0)
        try Data("legacy = refuse\n".utf8).write(to: URL(fileURLWithPath: server.directory + "/server.conf"))
        try server.start()
        #expect(server.logText.contains("registrations without a device key are refused: 1"), "\(server.logText)")
        let list = try Program.run(["user", "list", "--dir", server.directory]).output
        #expect(
            list.contains("alice\t1, 1 refused: no device key") && list.contains("bob\t1\n"),
            "\(list)")
        let show = try Program.run(["user", "show", "alice", "--dir", server.directory]).output
        #expect(show.contains("server.conf has legacy = refuse") && show.contains("mpin-enroll recover"), "\(show)")
        #expect(try !Program.run(["user", "show", "bob", "--dir", server.directory]).output.contains("legacy"))
    }
}
