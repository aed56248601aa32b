// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import MPinCrypto
import MPinServer
import MPinServerStorage
import Testing

/// The key of a server over its life: made, sealed anew, restored.
@Suite struct ServerKeyTests {
    @Test func `a server from before gets a key at its next start, and takes either of its names`() throws {
        let fixture = try Fixture(configuration: "hold_unverified = yes\n")
        try fixture.database.write { try ServerBefore.make($0) }
        try fixture.restart()
        let settings = try fixture.get("/rps/clientSettings")
        #expect(settings.string("serverId") == hex(ServerBefore.name))
        let server = try ServerKeyPeer(at: fixture)
        #expect(server.publicKey.count == 65)
        var alice = try fixture.device()
        for name in [server.hash, ServerBefore.name] {
            alice.serverID = name
            let request = try DirectRequest(alice)
            let answer = try request.send(at: fixture)
            #expect(answer.status == 200 && answer.string("serverId") == hex(ServerBefore.name))
            #expect(try server.proves(answer, .login, for: request.subject))
            let wrong = try DirectRequest(alice, pin: "9999")
            #expect(try server.proves(wrong.send(at: fixture), .login, for: wrong.subject))
            // As a new device, up to the share, with a restart.
            let key = try DeviceSecret()
            let held = try fixture.put("/rps/user", ["userId": "bob", "deviceKey": hex(key.publicKey)])
            let (mpinID, regOTT, time) = (held.string("mpinId"), held.string("regOTT"), fixture.milliseconds)
            let digest = try DeviceStatement.request(
                Array("restart".utf8), serverID: name, mpinID: unhex(mpinID), time: UInt64(time),
                regOTT: unhex(regOTT))
            let body: [String: Any] = [
                "userId": "bob", "deviceKey": hex(key.publicKey), "regOTT": regOTT, "time": time,
                "deviceSignature": hex(try key.sign(digest)), "activateCode": try fixture.invite("bob"),
            ]
            #expect(try fixture.put("/rps/user/\(mpinID)", body).object["active"] as? Bool == true)
            let proof = try Device.proof("signature", mpinID, regOTT, key, name, at: time)
            #expect(try fixture.get("/rps/signature/\(mpinID)?regOTT=\(regOTT)\(proof)").status == 200)
            let carol = try fixture.enroll("carol")
            #expect(try Binding(carol, serverID: name, at: fixture).send(at: fixture).status == 200)
        }
        // An unknown signature is answered under the hash of the key.
        let other = try DirectRequest(alice, serverID: [1])
        let refused = try other.send(at: fixture)
        #expect(refused.status == 404)
        #expect(try !server.proves(refused, .login, for: other.subject))
        try fixture.restart()
        #expect(try ServerKeyPeer(at: fixture).publicKey == server.publicKey)
        let lines = try fixture.auditText().split(separator: "\n").filter { $0.hasPrefix("server-key ") }
        let fingerprint = try KeyFingerprint(of: server.publicKey).text
        #expect(lines == ["server-key - - - \(fingerprint), new"])
    }

    @Test func `a command prints the fingerprint, and changes nothing`() throws {
        let server = try RunningServer()
        let expected = try KeyFingerprint(of: ServerKeyPeer(at: server.peer).publicKey).text
        func shown() throws {
            let plain = try Program.run(["fingerprint", "--dir", server.directory])
            #expect(plain.code == 0 && plain.output == expected + "\n", "\(plain.errors)")
            #expect(try server.command("fingerprint").object["fingerprint"] as? String == expected)
        }
        try shown()
        #expect(server.stop() == 0)
        let file = URL(filePath: server.directory + "/mpin.sqlite")
        let before = try Data(contentsOf: file)
        try shown()
        #expect(try Data(contentsOf: file) == before)
        // A server from before has none, and does not get one here.
        try DatabaseQueue(path: file.path).write { try ServerBefore.make($0) }
        for _ in 0..<2 {
            let none = try Program.run(["fingerprint", "--dir", server.directory])
            #expect(none.code == 78 && none.errors.contains("has no key"), "\(none.errors)")
        }
    }

    @Test func `the names of a status request are those of a login`() throws {
        let fixture = try Fixture()
        try fixture.database.write { try ServerBefore.make($0) }
        try fixture.restart()
        let alice = try fixture.device()
        let server = try ServerKeyPeer(at: fixture)
        for name in [server.hash, ServerBefore.name, [1]] {
            let digest = try DeviceStatement.request(
                Array("status".utf8), serverID: name, mpinID: unhex(alice.enrolled.mpinID),
                time: UInt64(fixture.milliseconds), regOTT: [])
            let signature = try alice.key.sign(digest)
            let answer = try fixture.post(
                "/mpinStatus",
                [
                    "mpin_id": alice.enrolled.mpinID, "time": fixture.milliseconds,
                    "deviceSignature": hex(signature),
                ])
            #expect(answer.status == (name == [1] ? 404 : 200))
            let subject = try ServerStatement.signedRequest(digest, signature: signature)
            #expect(try server.proves(answer, .login, for: subject) == (name != [1]))
        }
    }

    @Test func `an invitation before the first start makes the key, which the start then has`() throws {
        let fixture = try Fixture()
        try fixture.database.write { try ServerBefore.make($0) }
        let fingerprint = try fixture.administrator.fingerprint()
        try fixture.restart()
        #expect(try KeyFingerprint(of: ServerKeyPeer(at: fixture).publicKey).text == fingerprint)
    }

    @Test(arguments: [
        "UPDATE setting SET value = 'KEY' WHERE name = 'serverPublicKey'",
        "DELETE FROM setting WHERE name = 'serverPublicKey'", "DELETE FROM setting WHERE name = 'serverKey'",
        "DELETE FROM setting WHERE name IN ('serverKey', 'serverPublicKey')",
        "UPDATE setting SET value = substr(value, 3) || substr(value, 1, 2) WHERE name = 'serverID'",
        "UPDATE setting SET value = substr(value, 3) || substr(value, 1, 2) WHERE name = 'serverKey'",
    ])
    func `a server with another half of a key does not start`(change: String) throws {
        let fixture = try Fixture()
        let key = try hex(DeviceSecret().publicKey)
        try fixture.database.write { try $0.execute(sql: change.replacing("KEY", with: key)) }
        #expect(throws: ServerError.self) { try fixture.restart() }
        #expect(throws: ServerError.self) { try fixture.administrator.fingerprint() }
    }

    @Test func `a rotation seals the key again, and earlier codes stay good by their names`() throws {
        let server = try RunningServer(configuration: "legacy = refuse\n")
        let invited = try server.command("invite", "alice")
        let fingerprint = try #require(invited.object["fingerprint"] as? String)
        #expect(try KeyFingerprint(of: ServerKeyPeer(at: server.peer).publicKey).text == fingerprint)
        for _ in 0..<2 {
            #expect(server.stop() == 0)
            #expect(try server.command("rotate").code == 0)
            try server.start()
        }
        #expect(try KeyFingerprint(of: ServerKeyPeer(at: server.peer).publicKey).text == fingerprint)
        let code = try #require(invited.object["code"] as? String)
        let now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000) }
        let alice = try Device.register("alice", code: code, key: DeviceSecret(), at: server.peer, now: now)
        #expect(try alice.login(at: server.peer).status == 200)
    }
}
