// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinCrypto
import MPinServer
import MPinServerStorage
import MPinWire
import Testing

/// Enrollment with a device key: proofs in the answers, and codes that are not sent.
@Suite struct EnrollmentProofTests {
    private func json(_ object: [String: Any]) throws -> [UInt8] {
        try Array(JSONSerialization.data(withJSONObject: object))
    }

    /// What identifies a request.
    private func digest(_ word: String, _ mpinID: String = "", _ content: [UInt8]) throws -> [UInt8] {
        try ServerStatement.enrollmentRequest(Array(word.utf8), mpinID: unhex(mpinID), content: content)
    }

    private func body(_ user: String, _ key: DeviceSecret, _ code: String, at fixture: Fixture) throws -> [String: Any]
    {
        let server = try ServerKeyPeer(at: fixture)
        let body: [String: Any] = ["userId": user, "deviceKey": hex(key.publicKey)]
        return body.merging(try NamedCodePeer(code).members(user, key: key.publicKey, server.hash)) { $1 }
    }

    @Test(arguments: ["allow", "refuse"])
    func `an invited device proves the code, and so does the server`(legacy: String) throws {
        let fixture = try Fixture(configuration: "legacy = \(legacy)\n")
        let (key, server) = (try DeviceSecret(), try ServerKeyPeer(at: fixture))
        let code = try fixture.invite("alice")
        let body = try json(body("alice", key, code, at: fixture))
        let begun = try fixture.send("PUT", "/rps/user", body)
        #expect(begun.status == 200 && begun.object["active"] as? Bool == true)
        #expect(try server.proves(begun, .enrollment, for: digest("register", "", body)))
        let proof = try NamedCodePeer(code).serverProof("alice", key: key.publicKey, server.hash)
        #expect(begun.string("codeProof") == hex(proof))
        let (mpinID, regOTT) = (begun.string("mpinId"), begun.string("regOTT"))
        let query =
            try "regOTT=\(regOTT)"
            + Device.proof("signature", mpinID, regOTT, key, server.hash, at: fixture.milliseconds)
        let share = try fixture.get("/rps/signature/\(mpinID)?\(query)")
        #expect(share.status == 200 && share.string("certivoxURL") == "/dta/")
        #expect(try server.proves(share, .enrollment, for: digest("signature", mpinID, Array(query.utf8))))
        #expect(try !server.proves(share, .enrollment, for: digest("restart", mpinID, Array(query.utf8))))
        #expect(try !server.proves(share, .enrollment, for: digest("signature", "7b7d", Array(query.utf8))))
        for index in share.body.indices {
            var changed = share.body
            changed[index] ^= 1
            #expect(
                try !server.proves(
                    Answer(status: 200, body: changed), .enrollment, for: digest("signature", mpinID, Array(query.utf8))
                ))
        }
    }

    @Test func `a request for a share is valid for as long as its time is near`() throws {
        let fixture = try Fixture()
        let (key, server) = (try DeviceSecret(), try ServerKeyPeer(at: fixture))
        let begun = try fixture.put("/rps/user", body("alice", key, fixture.invite("alice"), at: fixture))
        let (mpinID, regOTT) = (begun.string("mpinId"), begun.string("regOTT"))
        for (difference, status) in [(-90_001, 400), (90_001, 400), (90_000, 200)] as [(Int64, Int)] {
            let proof = try Device.proof(
                "signature", mpinID, regOTT, key, server.hash, at: fixture.milliseconds + difference)
            let answer = try fixture.get("/rps/signature/\(mpinID)?regOTT=\(regOTT)\(proof)")
            #expect(answer.status == status, "\(difference)")
        }
    }

    @Test func `refusals of an enrollment are proven`() throws {
        let fixture = try Fixture(configuration: "failures_per_source = 1\n")
        let (key, server) = (try DeviceSecret(), try ServerKeyPeer(at: fixture))
        let proof = "&time=\(fixture.milliseconds)&deviceSignature=\(hex([UInt8](repeating: 1, count: 64)))"
        let query = "regOTT=00112233445566778899aabbccddeeff\(proof)"
        let unknown = try fixture.get("/rps/signature/7b7d?\(query)")
        #expect(unknown.status == 400)
        #expect(try server.proves(unknown, .enrollment, for: digest("signature", "7b7d", Array(query.utf8))))
        for expected in [403, 429] {
            let body = try json(body("alice", key, "0000-0000-0000-0000", at: fixture))
            let refused = try fixture.send("PUT", "/rps/user", body)
            #expect(refused.status == expected)
            #expect(try server.proves(refused, .enrollment, for: digest("register", "", body)))
            let again = try fixture.send("PUT", "/rps/user/7b7d", body)
            #expect(again.status == 429 || expected == 403)
            #expect(try server.proves(again, .enrollment, for: digest("restart", "7b7d", body)))
        }
        let malformed = try fixture.put("/rps/user", ["userId": "alice", "deviceKey": "04"])
        #expect(malformed.status == 400 && AnswerProof.split(malformed.body.span) == nil)
    }

    @Test func `clients without a key get the answers that they have always got`() throws {
        let fixture = try Fixture()
        let begun = try fixture.put("/rps/user", ["userId": "alice", "activateCode": fixture.invite("alice")])
        let expected = """
            {"mpinId":"\(begun.string("mpinId"))","regOTT":"\(begun.string("regOTT"))","active":true,\
            "expireTime":"\(begun.string("expireTime"))","nowTime":"\(begun.string("nowTime"))","device":1}
            """
        #expect(begun.text == expected)
        let share = try fixture.share(begun)
        #expect(
            share.text == "{\"params\":\"\(share.string("params"))\",\"clientSecretShare\":\""
                + "\(share.string("clientSecretShare"))\"}")
        let refused = try fixture.put("/rps/user", ["userId": "alice"])
        #expect(
            refused.text
                == #"{"status":403,"message":"This server requires an invitation code","version":"0.3"}"#)
    }

    @Test func `a code that was seen on the way is worth nothing`() throws {
        let fixture = try Fixture()
        let (key, thief, server) = (try DeviceSecret(), try DeviceSecret(), try ServerKeyPeer(at: fixture))
        let code = try fixture.invite("alice")
        let named = try NamedCodePeer(code)
        let seen = try body("alice", key, code, at: fixture)
        let otherServer = try named.members("alice", key: thief.publicKey, Hash.sha256(thief.publicKey))
        let otherUser = try named.members("mallory", key: thief.publicKey, server.hash)
        let attempts: [[String: Any]] = try [
            seen.merging(["deviceKey": hex(thief.publicKey)]) { $1 },
            seen.merging(otherServer) { $1 }.merging(["deviceKey": hex(thief.publicKey)]) { $1 },
            seen.merging(otherUser) { $1 }.merging(["deviceKey": hex(thief.publicKey)]) { $1 },
            seen.merging(otherUser) { $1 }.merging(["deviceKey": hex(thief.publicKey), "userId": "mallory"]) { $1 },
            seen.merging(["codeProof": hex(named.serverProof("alice", key: key.publicKey, server.hash))]) { $1 },
            seen.merging(["codeName": hex([UInt8](repeating: 7, count: 16))]) { $1 },
            ["userId": "alice", "activateCode": hex(named.name), "deviceKey": hex(thief.publicKey)],
        ]
        for attempt in attempts { #expect(try fixture.put("/rps/user", attempt).status == 403) }
        for index in 0..<32 {
            var proof = try named.clientProof("alice", key: key.publicKey, server.hash)
            proof[index] ^= 1
            let changed = seen.merging(["codeProof": hex(proof)]) { $1 }
            #expect(try fixture.from(.address("192.0.2.\(index)")).put("/rps/user", changed).status == 403)
        }
        // No key, a code in both forms, and half of a named code are malformed.
        for (name, value) in [("deviceKey", nil), ("codeProof", nil), ("activateCode", code)] as [(String, String?)] {
            var malformed = seen
            malformed[name] = value
            let refused = try fixture.put("/rps/user", malformed)
            #expect(refused.status == 400 && AnswerProof.split(refused.body.span) == nil, "\(name)")
        }
        // Nothing was consumed.
        #expect(try fixture.put("/rps/user", seen).status == 200)
        #expect(try fixture.auditText().contains("register-refused alice uid 1000 - code not valid"))
    }

    @Test func `a code seen on the way does not activate another registration that waits`() throws {
        let fixture = try Fixture(configuration: "hold_unverified = yes\n")
        let (key, thief, server) = (try DeviceSecret(), try DeviceSecret(), try ServerKeyPeer(at: fixture))
        let code = try fixture.invite("alice")
        let seen = try body("alice", key, code, at: fixture)
        func restart(_ key: DeviceSecret, _ members: [String: Any]) throws -> Answer {
            let held = try fixture.put("/rps/user", ["userId": "alice", "deviceKey": hex(key.publicKey)])
            let (mpinID, regOTT, time) = (held.string("mpinId"), held.string("regOTT"), fixture.milliseconds)
            let digest = try DeviceStatement.request(
                Array("restart".utf8), serverID: server.hash, mpinID: unhex(mpinID), time: UInt64(time),
                regOTT: unhex(regOTT))
            let proof: [String: Any] = [
                "regOTT": regOTT, "time": time, "deviceSignature": hex(try key.sign(digest)),
            ]
            return try fixture.put("/rps/user/\(mpinID)", members.merging(proof) { $1 })
        }
        // The proof is right for the key in the body, which is not that of the registration.
        #expect(try restart(thief, seen).status == 403)
        let right = try restart(key, seen)
        #expect(right.status == 200 && right.object["active"] as? Bool == true)
        #expect(
            try right.string("codeProof")
                == hex(NamedCodePeer(code).serverProof("alice", key: key.publicKey, server.hash)))
    }

    @Test(arguments: ["enrolled", "refuse"])
    func `a code in the clear is refused where old clients are, and stays good`(legacy: String) throws {
        let fixture = try Fixture(configuration: "legacy = \(legacy)\n")
        let key = try DeviceSecret()
        let code = try fixture.invite("alice")
        let clear: [String: Any] = ["userId": "alice", "activateCode": code, "deviceKey": hex(key.publicKey)]
        #expect(try fixture.put("/rps/user", clear).status == 403)
        #expect(try fixture.auditText().contains("register-refused alice uid 1000 - code in the clear"))
        #expect(try fixture.put("/rps/user", body("alice", key, code, at: fixture)).status == 200)
        #expect(try fixture.put("/rps/user", body("alice", DeviceSecret(), code, at: fixture)).status == 200)
    }

    @Test(arguments: ["named", "in the clear"])
    func `a copy of a request revokes nothing, and a device that repeats it has another key`(_ form: String) throws {
        let fixture = try Fixture(configuration: "registration_ttl = 300\n")
        let (first, second) = (try DeviceSecret(), try DeviceSecret())
        let code = try fixture.invite("alice")
        func request(_ key: DeviceSecret) throws -> [String: Any] {
            if form == "named" { return try body("alice", key, code, at: fixture) }
            return ["userId": "alice", "activateCode": code, "deviceKey": hex(key.publicKey)]
        }
        func share(_ begun: Answer, _ key: DeviceSecret) throws -> Int {
            let (mpinID, regOTT) = (begun.string("mpinId"), begun.string("regOTT"))
            let proof = try Device.proof(
                "signature", mpinID, regOTT, key, ServerKeyPeer(at: fixture).hash, at: fixture.milliseconds)
            return try fixture.get("/rps/signature/\(mpinID)?regOTT=\(regOTT)\(proof)").status
        }
        let copies = try [request(first), request(second)]
        let lost = try fixture.put("/rps/user", copies[0])
        #expect(try fixture.put("/rps/user", copies[0]).status == 403)
        let begun = try fixture.put("/rps/user", copies[1])
        #expect(lost.status == 200 && begun.status == 200)
        for copy in copies { #expect(try fixture.put("/rps/user", copy).status == 403) }
        #expect(try share(lost, first) == 403)
        #expect(try share(begun, second) == 200)
        for copy in copies { #expect(try fixture.put("/rps/user", copy).status == 403) }
        // A registration that has expired still counts, because a copy may be sent later than that.
        let (other, slow) = (try fixture.invite("bob"), try DeviceSecret())
        var late = try request(slow)
        late["userId"] = "bob"
        if form == "named" { late = try body("bob", slow, other, at: fixture) } else { late["activateCode"] = other }
        #expect(try fixture.put("/rps/user", late).status == 200)
        fixture.clock.advance(301)
        #expect(try fixture.put("/rps/user", late).status == 403)
    }

    @Test func `codes of the former lengths are refused`() throws {
        let fixture = try Fixture()
        for code in ["0123-4567-89AB-CD", "0123-4567-89AB"] {
            #expect(try fixture.put("/rps/user", ["userId": "alice", "activateCode": code]).status == 403)
        }
    }

    @Test func `backup codes are named as well, each good once`() throws {
        let (fixture, alice) = try Fixture.withDevice(configuration: "legacy = refuse\n")
        let made = try alice.login("makeBackupCodes", "2", at: fixture)
        let codes = try #require(made.object["codes"] as? [String])
        let batch = try #require(made.object["batch"] as? Int)
        let key = try DeviceSecret()
        // Not before they are confirmed.
        #expect(try fixture.put("/rps/user", body("alice", key, codes[0], at: fixture)).status == 403)
        #expect(try alice.login("confirmBackupCodes", String(batch), at: fixture).status == 200)
        #expect(try fixture.put("/rps/user", body("bob", key, codes[0], at: fixture)).status == 403)
        let used = try fixture.put("/rps/user", body("alice", key, codes[0], at: fixture))
        #expect(used.status == 200 && used.object["backupCodes"] as? Int == 1 && !used.string("codeProof").isEmpty)
        #expect(try fixture.put("/rps/user", body("alice", key, codes[0], at: fixture)).status == 403)
        #expect(try fixture.put("/rps/user", body("alice", key, codes[1], at: fixture)).status == 200)
    }

    @Test(.onSQLite) func `neither a code nor its name or key is in the database`() throws {
        let (fixture, alice) = try Fixture.withDevice()
        let codes =
            try [fixture.invite("alice")]
            + (alice.login("makeBackupCodes", "1", at: fixture).object["codes"] as? [String] ?? [])
        #expect(codes.count == 2)
        let begun = try fixture.put("/rps/user", ["userId": "alice", "activateCode": fixture.invite("alice")])
        let files = try ["/state/mpin.sqlite", "/state/mpin.sqlite-wal"].map {
            try Data(contentsOf: URL(filePath: fixture.path + $0))
        }
        for code in codes {
            let symbols = try #require(EnrollmentCode.symbols(code))
            let key = try CodeSecret(symbols: symbols).withKey { plain($0) }
            let name = try NamedCodePeer(code).name
            for bytes in [Array(code.utf8), symbols, key, name, Array(hex(key).utf8), Array(hex(name).utf8)] {
                for file in files { #expect(file.range(of: Data(bytes)) == nil) }
            }
        }
        for text in [begun.string("mpinId"), begun.string("regOTT")] {
            for file in files {
                #expect(file.range(of: Data(text.utf8)) == nil)
                #expect(file.range(of: Data(unhex(text))) == nil)
            }
        }
    }
}
