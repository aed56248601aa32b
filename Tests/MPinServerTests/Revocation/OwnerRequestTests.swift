// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

/// Requests of users for themselves, and refused ones.
@Suite struct OwnerRequestTests {
    private let fixture: Fixture

    init() throws { fixture = try Fixture() }

    private func ask(
        _ device: ClientRegistration, _ request: [String: Any], pin: String = "1234", otp: Bool = false,
        at fixture: Fixture
    ) throws -> Answer {
        let login = try Login(device, pin: pin, at: fixture)
        var body = login.body()
        if otp { body["OTP"] = true }
        let second = try fixture.post("/rps/pass2", body)
        return try redeem(second, request, at: fixture)
    }

    private func redeem(_ second: Answer, _ request: [String: Any], at fixture: Fixture) throws -> Answer {
        let response: [String: Any] = ["mpinResponse": ["authOTT": second.string("authOTT")]]
        return try fixture.post("/mpinOwner", response.merging(request) { $1 })
    }

    private func backupCodes(_ device: ClientRegistration, count: Int = 2, at fixture: Fixture) throws -> [String] {
        let made = try ask(device, ["action": "makeBackupCodes", "count": count], at: fixture)
        let batch = try #require(made.object["batch"] as? Int)
        #expect(try ask(device, ["action": "confirmBackupCodes", "batch": batch], at: fixture).status == 200)
        return try #require(made.object["codes"] as? [String])
    }

    private func register(_ user: String, _ code: String, at peer: some Peer) throws -> Answer {
        try peer.put("/rps/user", ["userId": user, "activateCode": code])
    }

    @Test func `one login allows one request, and only a right one`() throws {
        let alice = try fixture.enroll()
        let second = try Login(alice, at: fixture).passTwo(at: fixture)
        let listed = try redeem(second, ["action": "devices"], at: fixture)
        #expect(listed.status == 200 && listed.string("userId") == "alice" && !listed.string("serverId").isEmpty)
        #expect(try redeem(second, ["action": "devices"], at: fixture).status == 408)
        for request in [["action": "devices"], ["action": "invite"], ["action": "signOut"]] {
            let wrong = try ask(alice, request, pin: "9999", at: fixture)
            #expect(wrong.status == 401 && wrong.object["devices"] == nil && wrong.object["code"] == nil)
            #expect(try alice.login(at: fixture).status == 200)
        }
        // A login that was begun for another purpose is valid only for that.
        let waiting = try Waiting(at: fixture)
        let approving = try Login(alice, at: fixture).passTwo(at: fixture, wid: waiting.code)
        #expect(try redeem(approving, ["action": "devices"], at: fixture).status == 412)
        #expect(try ask(alice, ["action": "devices"], otp: true, at: fixture).status == 412)
        _ = try fixture.administrator.revoke("alice", device: 1, reason: nil)
        #expect(try redeem(second, ["action": "devices"], at: fixture).status == 408)
    }

    @Test func `malformed requests use nothing up`() throws {
        let alice = try fixture.enroll()
        let second = try Login(alice, at: fixture).passTwo(at: fixture)
        for request in [
            [:], ["action": "x"], ["action": 1], ["action": "revokeDevice"], ["action": "revokeDevice", "device": -1],
            ["action": "makeBackupCodes", "count": 0], ["action": "invite", "ttlSeconds": "9"],
        ] as [[String: Any]] {
            #expect(try redeem(second, request, at: fixture).status == 400, "\(request)")
        }
        #expect(try redeem(second, ["action": "devices"], at: fixture).status == 200)
        #expect(try ask(alice, ["action": "makeBackupCodes", "count": 21], at: fixture).status == 400)
        #expect(try ask(alice, ["action": "invite", "ttlSeconds": 3_601], at: fixture).status == 400)
        #expect(try ask(alice, ["action": "confirmBackupCodes", "batch": 5], at: fixture).status == 404)
    }

    @Test func `no user revokes the device of another`() throws {
        let alice = try fixture.enroll()
        let bob = try (0..<2).map { _ in try fixture.enroll("bob") }
        #expect(try ask(alice, ["action": "revokeDevice", "device": 2], at: fixture).status == 404)
        #expect(try bob[1].login(at: fixture).status == 200)
        #expect(try ask(bob[0], ["action": "revokeDevice", "device": 2], at: fixture).status == 200)
        #expect(try ask(bob[0], ["action": "revokeDevice", "device": 2], at: fixture).status == 200)
        #expect(try fixture.get("/rps/timePermit/\(bob[1].mpinID)").status == 410)
        #expect(try fixture.auditText().contains("revoke bob uid 1000 bob device 2"))
        // Its owner has revoked it, so it stays revoked.
        #expect(throws: ServerError.self) { try fixture.administrator.restore("bob", device: 2) }
    }

    @Test func `a revoked user's codes let that user in no more`() throws {
        let alice = try fixture.enroll()
        let code = try ask(alice, ["action": "invite"], at: fixture).string("code")
        let codes = try backupCodes(alice, at: fixture)
        _ = try fixture.administrator.revoke("alice", reason: nil)
        for code in [code] + codes { #expect(try register("alice", code, at: fixture).status == 403) }
        // Let in by an invitation, and still suspended: neither is made any more.
        let invited = try fixture.enroll()
        for request in [["action": "invite"], ["action": "makeBackupCodes", "count": 1]] as [[String: Any]] {
            let refused = try ask(invited, request, at: fixture)
            #expect(refused.status == 403 && refused.string("message").contains("suspended"))
        }
    }

    @Test func `an owners code does not lift a later suspension`() throws {
        let (fixture, alice) = try Fixture.enrolled(configuration: "hold_unverified = yes\n")
        let code = try ask(alice, ["action": "invite"], at: fixture).string("code")
        let begun = try register("alice", code, at: fixture)
        #expect(begun.status == 200 && begun.object["active"] as? Bool == true)
        _ = try fixture.administrator.revoke("alice", reason: nil)
        #expect(try fixture.share(begun).status == 403)
    }

    @Test func `a backup code works once, for its user, also with simultaneous requests`() throws {
        let alice = try fixture.enroll()
        _ = try fixture.enroll("bob")
        let codes = try backupCodes(alice, at: fixture)
        #expect(try register("bob", codes[0], at: fixture).status == 403)
        let statuses = try onThreads(8) { number in
            try register("alice", codes[0], at: fixture.from(.user(UInt32(2_000 + number)))).status
        }
        #expect(statuses.sorted() == [200] + Array(repeating: 403, count: 7))
        let used = try register("alice", codes[1].lowercased().replacing("-", with: " "), at: fixture)
        #expect(used.status == 200 && used.object["backupCodes"] as? Int == 0)
        #expect(try fixture.administrator.user("alice").backupCodes == 0)
    }

    @Test func `guessing backup codes is limited by source, and shuts no user out`() throws {
        let alice = try fixture.enroll()
        let codes = try backupCodes(alice, at: fixture)
        func guess(_ number: Int, from source: UInt32) throws -> Int {
            let digits = String(number, radix: 10)
            let code = String(repeating: "Z", count: 12 - digits.count) + digits
            return try register("alice", code, at: fixture.from(.user(source))).status
        }
        let one = try (0..<40).map { try guess($0, from: 2_000) }
        #expect(one.contains(429) && one.first == 403)
        for number in 0..<60 { #expect(try guess(number, from: UInt32(3_000 + number)) == 403) }
        #expect(try register("alice", codes[0], at: fixture.from(.user(5_001))).status == 200)
    }

    @Test func `no device confirms codes that another one has made`() throws {
        let (first, second) = (try fixture.enroll(), try fixture.enroll())
        let shown = try ask(first, ["action": "makeBackupCodes", "count": 1], at: fixture)
        let other = try ask(second, ["action": "makeBackupCodes", "count": 1], at: fixture)
        let batches = try [shown, other].map { try #require($0.object["batch"] as? Int) }
        for batch in batches {
            #expect(try ask(first, ["action": "confirmBackupCodes", "batch": batch], at: fixture).status == 404)
        }
        for codes in [shown, other] {
            let code = try #require((codes.object["codes"] as? [String])?.first)
            #expect(try register("alice", code, at: fixture).status == 403)
        }
    }

    @Test func `what a device has made ends when its owner revokes it`() throws {
        let (lost, kept) = (try fixture.enroll(), try fixture.enroll())
        let codes = try backupCodes(lost, count: 3, at: fixture)
        let begun = [
            try register("alice", codes[0], at: fixture),
            try register("alice", try ask(lost, ["action": "invite"], at: fixture).string("code"), at: fixture),
        ]
        let third = try register("alice", codes[1], at: fixture)
        let finished = try ClientRegistration.finish("alice", third, at: fixture)
        #expect(try finished.login(at: fixture).status == 200)
        #expect(begun.allSatisfy { $0.status == 200 })
        #expect(try ask(kept, ["action": "revokeDevice", "device": 1], at: fixture).status == 200)
        for answer in begun {
            let path = "/rps/signature/\(answer.string("mpinId"))?regOTT=\(answer.string("regOTT"))"
            #expect(try fixture.get(path).status == 403)
        }
        #expect(try register("alice", codes[2], at: fixture).status == 403)
        #expect(try finished.login(at: fixture).status == 200)
    }

    @Test func `a device that is being revoked leaves no code behind`() throws {
        for round in 0..<8 {
            let user = "user\(round)"
            let (thief, owner) = (try fixture.enroll(user), try fixture.enroll(user))
            let logins = try (0..<6).map { _ in try Login(thief, at: fixture).passTwo(at: fixture) }
            let revoking = try Login(owner, at: fixture).passTwo(at: fixture)
            let made = Collected()
            DispatchQueue.concurrentPerform(iterations: 7) { index in
                if index == 3 {
                    _ = try? redeem(revoking, ["action": "revokeDevice", "device": 1], at: fixture)
                } else if let answer = try? redeem(
                    logins[index > 3 ? index - 1 : index], ["action": "invite"], at: fixture)
                {
                    made.add(answer.string("code"))
                }
            }
            for code in made.codes { #expect(try register(user, code, at: fixture).status == 403) }
        }
    }

    private final class Collected: @unchecked Sendable {
        private let lock = NSLock()
        private(set) var codes: [String] = []

        func add(_ code: String) { lock.withLock { if !code.isEmpty { codes.append(code) } } }
    }

    @Test func `a registration without a code does not reveal how many there are`() throws {
        let fixture = try Fixture(configuration: "hold_unverified = yes\n")
        _ = try fixture.enroll()
        for user in ["alice", "nobody"] {
            let begun = try fixture.put("/rps/user", ["userId": user, "mobile": 1])
            #expect(begun.status == 200 && begun.object["device"] == nil)
        }
        #expect(try register("alice", fixture.invite("alice"), at: fixture).object["device"] as? Int == 3)
    }

    @Test func `registrations that strangers have begun are not among the devices`() throws {
        let (fixture, alice) = try Fixture.enrolled(
            configuration: "hold_unverified = yes\nfailures_per_source = 1000\n")
        for _ in 0..<100 {
            let name = String(repeating: "\u{1F600}", count: 64)
            #expect(try fixture.put("/rps/user", ["userId": "alice", "deviceName": name]).status == 200)
        }
        let listed = try ask(alice, ["action": "devices"], at: fixture)
        #expect((listed.object["devices"] as? [Any])?.count == 1)
    }

    @Test func `the names of devices have only characters that users see`() throws {
        let alice = try fixture.enroll()
        let long = String(repeating: "x", count: 63)
        let names = [
            "phone", "phone ", " phone", "pho\u{200B}ne", "phone\u{E000}", "phone\u{3164}", "\u{FE0F}phone\t",
            "phone\u{2800}", "my  phone", "my\u{3000}\u{A0}phone", " ", "\u{3164}", "\(long) phone",
        ]
        for name in names {
            let body = ["userId": "alice", "deviceName": name, "activateCode": try fixture.invite("alice")]
            #expect(try fixture.put("/rps/user", body).status == 200)
        }
        let listed = try #require(ask(alice, ["action": "devices"], at: fixture).object["devices"] as? [[String: Any]])
        let seen = listed.dropFirst().map { $0["name"] as? String ?? "" }
        #expect(
            seen.sorted()
                == ([String](repeating: "phone", count: 8) + ["my phone", "my phone", "", "", long]).sorted(), "\(seen)"
        )
    }

    @Test func `unconfirmed codes are useless, and replace nothing`() throws {
        let alice = try fixture.enroll()
        let old = try backupCodes(alice, at: fixture)
        let new = try ask(alice, ["action": "makeBackupCodes", "count": 2], at: fixture)
        let codes = try #require(new.object["codes"] as? [String])
        #expect(try register("alice", codes[0], at: fixture).status == 403)
        #expect(try register("alice", old[0], at: fixture).status == 200)
        let batch = try #require(new.object["batch"] as? Int)
        for _ in 0..<2 {
            let confirmed = try ask(alice, ["action": "confirmBackupCodes", "batch": batch], at: fixture)
            #expect(confirmed.object["backupCodes"] as? Int == 2)
        }
        #expect(try register("alice", old[1], at: fixture).status == 403)
        #expect(try register("alice", codes[0], at: fixture).status == 200)
    }

    @Test(.onSQLite) func `backup codes outlive a restart and end with a purge`() throws {
        let codes = try backupCodes(fixture.enroll(), at: fixture)
        try fixture.restart()
        #expect(try register("alice", codes[0], at: fixture).status == 200)
        _ = try fixture.administrator.purge("alice")
        #expect(try register("alice", codes[1], at: fixture).status == 403)
        let file = try Data(contentsOf: URL(filePath: fixture.path + "/state/mpin.sqlite"))
        #expect(file.range(of: Data(codes[1].utf8)) == nil)
    }

    @Test func `a denied session accepts no login, and guessing numbers to deny is limited`() throws {
        let alice = try fixture.enroll()
        let waiting = try Waiting(at: fixture)
        func deny(_ code: String, from source: UInt32 = 1_000) throws -> Int {
            try fixture.from(.user(source)).post("/rps/codeStatus", ["status": "denied", "wid": code]).status
        }
        let second = try Login(alice, at: fixture).passTwo(at: fixture, wid: waiting.code)
        #expect(try deny(waiting.code) == 200)
        #expect(try waiting.poll(at: fixture).object["denied"] as? Bool == true)
        #expect(fixture.bring(second).status == 412)
        #expect(try deny(waiting.code) == 412)
        let guesses = try (0..<60).map { try deny(String(1_000_000 + $0), from: 2_000) }
        #expect(guesses.first == 412 && guesses.last == 429)
        // The poll of old clients.
        #expect(try fixture.post("/rps/accessnumber", ["webOTT": waiting.webOTT]).status == 404)
        let approved = try Waiting(at: fixture)
        _ = try fixture.approve(alice, approved.code)
        #expect(try deny(approved.code) == 412)
    }
}
