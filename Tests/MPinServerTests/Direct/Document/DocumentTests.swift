// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinCrypto
import Testing

/// Whether docs/device-login.md describes what the server does: a client that was written from it alone.
@Suite struct DocumentTests {
    private func enrolled(_ user: String, at server: RunningServer) throws -> DocumentClient {
        let client = DocumentClient(socket: server.socket)
        let code = try server.invite(user)
        let answer = try client("register", user, code, "1234")
        try #require(answer.status == 200, "\(answer.text)")
        return client
    }

    @Test func `a client from the document registers and logs in`() throws {
        let server = try RunningServer()
        let client = try enrolled("zoë@example.org", at: server)
        let first = try client("login", "1234")
        #expect(first.status == 200 && first.object["wrongSinceLastLogin"] as? Int == 0, "\(first.text)")
        let wrong = try client("login", "4321")
        #expect(wrong.status == 401 && wrong.object["attemptsLeft"] as? Int == 2, "\(wrong.text)")
        #expect(try client("changePin", "1234").object["wrongSinceLastLogin"] as? Int == 1)
        let password = try client("otp", "1234").string("OTP")
        let typed = try server.peer.post("/otp", ["userId": "zoë@example.org", "otp": password])
        #expect(typed.status == 200, "\(typed.text)")
        try client.shiftClock(by: -3_600_000)
        #expect(try client("login", "1234").status == 200)
        #expect(try (0..<4).map { _ in try client("login", "0001").status } == [401, 401, 410, 410])
        #expect(try client("login", "1234").status == 410)
        let user = try server.command("user", "show", "zoë@example.org").object
        #expect(user["state"] as? String == "BLOCKED")
    }

    @Test func `it does what its owner may do, and learns what is beyond that`() throws {
        let server = try RunningServer()
        let client = try enrolled("alice", at: server)
        let other = try enrolled("alice", at: server)
        let devices = try client("devices", "1234").object["devices"] as? [[String: Any]] ?? []
        #expect(devices.map { $0["current"] as? Bool } == [true, false])
        for seconds in [[], ["60"], ["3600"]] {
            let code = try (seconds.isEmpty ? client("invite", "1234") : client("invite", "1234", seconds[0]))
                .string("code")
            #expect(!code.isEmpty)
        }
        for (count, codes) in [("1", 1), ("20", 20)] {
            let made = try client("makeBackupCodes", "1234", count)
            #expect((made.object["codes"] as? [String])?.count == codes)
            let batch = made.object["batch"] as? Int ?? 0
            #expect(1...2_147_483_648 ~= batch)
            let confirmed = try client("confirmBackupCodes", "1234", String(batch))
            #expect(confirmed.object["backupCodes"] as? Int == codes, "\(confirmed.text)")
        }
        #expect(try client("signOut", "1234", "all").object["count"] as? Int == 0)
        #expect(try client("revokeDevice", "1234", "2").status == 200)
        #expect(try other("login", "1234").status == 403)
        for (purpose, argument) in [
            ("invite", "59"), ("invite", "3601"), ("invite", "060"), ("makeBackupCodes", "0"),
            ("makeBackupCodes", "21"),
            ("login", "x"), ("hovercraft", ""), ("revoke", "7B"),
        ] {
            #expect(try client(purpose, "1234", argument).status == 400, "\(purpose) \(argument)")
        }
        for (purpose, argument) in [("revokeDevice", "99"), ("confirmBackupCodes", "1"), ("revoke", "7b")] {
            #expect(try client(purpose, "1234", argument).status == 422, "\(purpose) \(argument)")
        }
        #expect(try client("session", "1234", "1234565").status == 412)
        #expect(try client("session", "9999", "1234565").status == 401)
    }

    @Test(arguments: [false, true])
    func `it signs a waiting session in, by its number and by the code of its link`(isLink: Bool) throws {
        let server = try RunningServer()
        let client = try enrolled("alice", at: server)
        let peer = server.peer
        let session = try Waiting(at: peer, link: isLink)
        let answers = try onThreads(2) { number in
            if number == 0 { return try client("session", "1234", session.code) }
            // Until the device has logged in, which takes as long as Python takes.
            for _ in 0..<600 {
                if try session.status(at: peer) == "authenticate" { return try session.enter(at: peer) }
                usleep(100_000)
            }
            return try session.poll(at: peer)
        }
        #expect(answers[0].status == 200 && !answers[0].string("logoutURL").isEmpty, "\(answers[0].text)")
        #expect(answers[1].status == 200 && answers[1].string("userId") == "alice", "\(answers[1].text)")
    }

    @Test func `a registration that waits for a code is restarted with it`() throws {
        let server = try RunningServer(configuration: "hold_unverified = yes\n")
        let client = DocumentClient(socket: server.socket)
        #expect(try client("register", "bob", "-", "1234").object["active"] as? Bool == false)
        #expect(try client("confirm", "1234").status == 401)
        let code = try server.invite("bob")
        #expect(try client("restart", code).object["active"] as? Bool == true)
        #expect(try client("confirm", "1234").status == 200)
        #expect(try client("login", "1234").status == 200)
    }

    @Test func `what the document says of form, size and time is so, and no PIN is judged by it`() throws {
        let server = try RunningServer()
        let code = try server.invite("alice")
        let client = DocumentClient(socket: server.socket)
        #expect(try client("try", "keyNull", "alice", code).status == 400)
        try #require(client("register", "alice", code, "1234").status == 200)
        #expect(try client("try", "argumentNull", "1234").status == 200)
        for (time, status) in [("1", 408), ("9223372036854775807", 408), ("9223372036854775808", 400)] {
            #expect(try client("try", "loginAt", "9999", time).status == status, "\(time)")
        }
        for (size, status) in [("65536", 400), ("65537", 413)] {
            #expect(try client("try", "size", size).status == status, "\(size)")
        }
        #expect(try client("try", "get").status == 405)
        #expect(try client("login", "1234").object["wrongSinceLastLogin"] as? Int == 0)
        // The first share is given for 60 seconds, each time with its own query for the second.
        let shares = try (0..<2).map { _ in try client("try", "firstShare").string("clientSecretShare") }
        #expect(shares[0] == shares[1] && !shares[0].isEmpty)
        let params = try client("try", "firstShare").string("params")
        #expect(try client("try", "secondShare", params).status == 200)
        let last = params.last == "0" ? "1" : "0"
        #expect(try client("try", "secondShare", String(params.dropLast()) + last).status == 401)
        #expect(try client("try", "secondShare", "x=1").status == 403)
    }

    @Test func `the server proves its key, and takes no code that is sent in the clear`() throws {
        for (settings, status) in [("", 200), ("legacy = refuse\n", 403)] {
            let server = try RunningServer(configuration: settings)
            let client = try enrolled("alice", at: server)
            #expect(try client("try", "hello").status == 200)
            let code = try server.invite("alice")
            #expect(try client("try", "clear", "alice", code).status == status)
            #expect(try client("try", "clear", "alice", String(code.dropLast(4)) + "0000").status == 403)
        }
    }

    @Test func `a U that was not judged because of a block is not used up`() throws {
        let server = try RunningServer()
        let client = try enrolled("alice", at: server)
        let first = try client("try", "logins", "0001", "0002", "0003", "1234").object["statuses"] as? [Int]
        #expect(first == [401, 401, 410, 410, 409])
        let blocked = try client("try", "logins", "1234").object["statuses"] as? [Int]
        #expect(blocked == [410, 410])
    }

    @Test func `a backup code is used by its first registration, and an invitation code by the first login`() throws {
        let server = try RunningServer()
        let client = try enrolled("alice", at: server)
        let made = try client("makeBackupCodes", "1234", "2")
        _ = try client("confirmBackupCodes", "1234", String(made.object["batch"] as? Int ?? 0))
        let backup = try #require((made.object["codes"] as? [String])?.first)
        let invitation = try client("invite", "1234").string("code")
        for (code, again) in [(backup, 403), (invitation, 200)] {
            let others = (0..<3).map { _ in DocumentClient(socket: server.socket) }
            #expect(try others[0]("register", "alice", code, "1234").status == 200)
            #expect(try others[1]("register", "alice", code, "1234").status == again)
            let last = again == 200 ? others[1] : others[0]
            #expect(try last("login", "1234").status == 200)
            #expect(try others[2]("register", "alice", code, "1234").status == 403)
        }
    }

    @Test func `its example is the first vector`() throws {
        let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(5).joined(separator: "/").dropFirst()
        let text = try String(contentsOfFile: root + "/docs/device-login.md", encoding: .utf8)
        let example = text.components(separatedBy: "## Worked example").last?.filter { !$0.isWhitespace } ?? ""
        let file = try Data(contentsOf: URL(fileURLWithPath: root + "/Tests/Vectors/direct-login.json"))
        let cases = (try JSONSerialization.jsonObject(with: file) as? [String: Any])?["cases"] as? [[String: Any]]
        let first = try #require(cases?.first)
        for name in [
            "id", "token", "x", "u", "y", "v", "digest", "private_key", "public_key", "signature",
            "reg_ott", "request_digest", "server_key", "key_hash", "answer", "answer_digest", "answer_signature",
            "enrollment_content", "enrollment_request_digest", "challenge", "hello_digest", "code", "code_name",
            "code_client_proof", "code_server_proof",
        ] {
            let value = first[name] as? String ?? "?"
            #expect(example.contains(value), "\(name)")
        }
    }

    @Test func `its ssh certificate is one that ssh-keygen verifies`() throws {
        let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(5).joined(separator: "/").dropFirst()
        let text = try String(contentsOfFile: root + "/docs/device-login.md", encoding: .utf8)
        let parts = text.components(separatedBy: "certificate (text)\n")
        let encoded = try #require(parts.last?.components(separatedBy: "```").first).filter { !$0.isWhitespace }
        let lines = try SSHKeyFile.lines("ssh-ed25519-cert-v01@openssh.com \(encoded)")
        #expect(lines.contains("Key ID: \"heidi@example.org/1/laptop\""))
        #expect(lines.contains("Serial: 6503982852185922091") && text.contains("serial number 6503982852185922091 "))
        #expect(lines.contains("deploy") && lines.contains("heidi"))
        // Everything before the signature, which is the rest.
        let blob = try Array(#require(Data(base64Encoded: encoded)))
        try #require(blob.count > 439)
        #expect(try text.contains(hex(Hash.sha256(Array(blob.prefix(439))))))
    }
}
