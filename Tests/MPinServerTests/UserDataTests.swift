// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

/// What clients send along for the application.
@Suite struct UserDataTests {
    @Test func `it is kept with the registration and shown`() throws {
        let server = try RunningServer(configuration: "hold_unverified = yes\n")
        let data: [String: Any] = ["staff": 17, "name": "Zo\u{eb}\u{202e}", "tags": ["a", "b"]]
        #expect(try server.peer.put("/rps/user", ["userId": "alice", "userData": data]).status == 200)
        #expect(try server.peer.put("/rps/user", ["userId": "bob", "userData": "plain"]).status == 200)
        #expect(try server.peer.put("/rps/user", ["userId": "carol", "userData": ""]).status == 200)
        let shown = { (user: String) throws -> String? in
            let devices = try server.command("user", "show", user).object["devices"] as? [[String: Any]]
            return devices?.first?["userData"] as? String
        }
        let text = try #require(try shown("alice"))
        let alice = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(alice["staff"] as? Int == 17 && alice["name"] as? String == "Zo\u{eb}\u{202e}")
        #expect(try shown("bob") == "\"plain\"")
        #expect(try shown("carol") == nil)
        let report = try Program.run(["user", "show", "alice", "--dir", server.directory]).output
        #expect(report.contains("user data {") && report.contains("Zo\\u00eb\\u202e"))
        // It outlives the server.
        server.kill()
        try server.start()
        #expect(try shown("bob") == "\"plain\"")
    }

    @Test func `a restart replaces it, unless it brings none`() throws {
        let fixture = try Fixture(configuration: "hold_unverified = yes\n")
        let begun = try fixture.put("/rps/user", ["userId": "alice", "userData": "first"])
        let restart: ([String: Any]) throws -> Int = { more in
            let body = ["userId": "alice", "regOTT": begun.string("regOTT")].merging(more) { $1 }
            return try fixture.put("/rps/user/\(begun.string("mpinId"))", body).status
        }
        #expect(try restart([:]) == 200)
        #expect(try fixture.administrator.user("alice").devices[0].userData == "\"first\"")
        #expect(try restart(["userData": ["a": 1]]) == 200)
        #expect(try fixture.administrator.user("alice").devices[0].userData?.contains("\"a\"") == true)
    }

    @Test func `it has a bound`() throws {
        let fixture = try Fixture(configuration: "hold_unverified = yes\n")
        for (count, status) in [(4_094, 200), (4_095, 400)] {
            let answer = try fixture.put(
                "/rps/user", ["userId": "user\(count)", "userData": String(repeating: "a", count: count)])
            #expect(answer.status == status)
        }
        #expect(throws: ServerError.self) { _ = try fixture.administrator.user("user4095") }
    }
}
