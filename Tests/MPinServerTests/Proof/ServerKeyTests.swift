// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import MPinCrypto
import MPinServer
import MPinServerStorage
import Testing

/// The key of a server over its life: made, sealed anew, restored.
@Suite struct ServerKeyTests {
    @Test func `the ID of a server is the hash of its key, and what devices sign has no other name for it`() throws {
        let fixture = try Fixture()
        let server = try ServerKeyPeer(at: fixture)
        #expect(try fixture.get("/rps/clientSettings").string("serverId") == hex(server.hash))
        let alice = try fixture.device()
        for name in [server.hash, [UInt8](repeating: 0xB4, count: 16), [1]] {
            let request = try DirectRequest(alice, serverID: name)
            let answer = try request.send(at: fixture)
            #expect(answer.status == (name == server.hash ? 200 : 404))
            #expect(try server.proves(answer, .login, for: request.subject) == (name == server.hash))
            let digest = try DeviceStatement.request(
                Array("status".utf8), serverID: name, mpinID: unhex(alice.enrolled.mpinID),
                time: UInt64(fixture.milliseconds), regOTT: [])
            let signature = try alice.key.sign(digest)
            let status = try fixture.post(
                "/mpinStatus",
                [
                    "mpin_id": alice.enrolled.mpinID, "time": fixture.milliseconds,
                    "deviceSignature": hex(signature),
                ])
            #expect(status.status == (name == server.hash ? 200 : 404))
            let subject = try ServerStatement.signedRequest(digest, signature: signature)
            #expect(try server.proves(status, .login, for: subject) == (name == server.hash))
        }
        try fixture.restart()
        #expect(try ServerKeyPeer(at: fixture).publicKey == server.publicKey)
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
        let file = URL(filePath: server.directory + "/state/mpin.sqlite")
        let before = try Data(contentsOf: file)
        try shown()
        #expect(try Data(contentsOf: file) == before)
    }

    @Test(
        .onSQLite,
        arguments: [
            "UPDATE setting SET value = 'KEY' WHERE name = 'serverPublicKey'",
            "DELETE FROM setting WHERE name = 'serverPublicKey'", "DELETE FROM setting WHERE name = 'server key'",
            "DELETE FROM setting WHERE name IN ('server key', 'serverPublicKey')",
            "UPDATE setting SET value = substr(value, 3) || substr(value, 1, 2) WHERE name = 'server key'",
        ])
    func `a server with another half of a key does not start`(change: String) throws {
        let fixture = try Fixture()
        let key = try hex(DeviceSecret().publicKey)
        try fixture.database.execute(change.replacing("KEY", with: key))
        #expect(throws: ServerError.self) { try fixture.restart() }
        #expect(throws: ServerError.self) { try fixture.administrator.fingerprint() }
    }
}
