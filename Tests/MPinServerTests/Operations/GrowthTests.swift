// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import MPinServer
import MPinServerStorage
import Testing

/// What strangers can make the database grow by, and what makes it small again.
@Suite struct GrowthTests {
    private let stranger = RequestSource.address("192.0.2.7")

    private func begin(_ fixture: Fixture, _ user: String, code: String? = nil) throws -> Answer {
        var body: [String: Any] = ["userId": user, "mobile": 1]
        body["activateCode"] = code
        return try fixture.from(stranger).put("/rps/user", body)
    }

    private func count(_ fixture: Fixture, _ table: String) throws -> Int {
        try fixture.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0 }
    }

    @Test(.onSQLite) func `a user who registers without a code is charged`() throws {
        let fixture = try Fixture(
            configuration: "hold_unverified = yes\nfailures_per_source = 3\nfailure_refill_seconds = 10\n")
        let statuses = try (0..<5).map { try begin(fixture, "user\($0)").status }
        #expect(statuses == [200, 200, 200, 429, 429])
        #expect(try count(fixture, "registration") == 3)
        #expect(try fixture.put("/rps/user", ["userId": "elsewhere", "mobile": 1]).status == 200)
        // A user with a code is not a stranger.
        #expect(try begin(fixture, "invited", code: fixture.invite("invited")).status == 200)
        #expect(try fixture.auditText().contains("throttle - 192.0.2.7"))
        fixture.clock.advance(10)
        #expect(try begin(fixture, "later").status == 200)
        #expect(try begin(fixture, "again").status == 429)
    }

    @Test func `a user who begins a registration again and again is charged`() throws {
        let fixture = try Fixture(
            configuration: "hold_unverified = yes\nfailures_per_source = 4\nfailure_refill_seconds = 10\n")
        let begun = try begin(fixture, "alice")
        let again = { (code: String?) in
            var body: [String: Any] = ["userId": "alice", "mobile": 1, "regOTT": begun.string("regOTT")]
            body["activateCode"] = code
            return try fixture.from(stranger).put("/rps/user/\(begun.string("mpinId"))", body)
        }
        #expect(try (0..<5).map { _ in try again(nil).status } == [200, 200, 200, 429, 429])
        #expect(try fixture.auditText().split(separator: "\n").count { $0.hasPrefix("register-again") } == 3)
        let activated = try again(fixture.invite("alice"))
        #expect(activated.object["active"] as? Bool == true)
    }

    @Test(
        .onSQLite,
        arguments: [
            (ExpiredRows.registrations, "registration_by_state (state=? AND expires<?)"),
            (ExpiredRows.events, "audit_by_time (time<?)"),
        ])
    func `what is cleared away is found without looking at all there is`(_ rows: String, _ index: String) throws {
        let fixture = try Fixture()
        let plan = try fixture.database.read { database in
            try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(rows)", arguments: [0, 1]).map {
                $0["detail"] as String
            }
        }
        #expect(plan.contains { $0.hasPrefix("SEARCH") && $0.hasSuffix(index) }, "\(plan)")
        #expect(!plan.contains { $0.hasPrefix("SCAN") || $0.contains("TEMP B-TREE") }, "\(plan)")
    }

    @Test(
        .onSQLite, arguments: [(nil, 400), ("audit_days = 10\n", 10), ("audit_days = 0\n", nil)] as [(String?, Int?)])
    func `the audit log is kept for so many days, however much there is`(
        _ configuration: String?, _ days: Int?
    ) throws {
        let fixture = try Fixture(configuration: configuration)
        let now = Int64(ManualClock.noon)
        let add = { (age: Int64, lines: Int) in
            try fixture.database.write { database in
                for _ in 0..<lines {
                    try database.execute(
                        sql: "INSERT INTO audit (time, event, user_id) VALUES (?, 'login', ?)",
                        arguments: [(now - age) * 1_000, "age \(age)"])
                }
            }
        }
        let limit = Int64(days ?? 20_000) * 86_400
        try add(limit + 1, 2_500)
        try add(limit - 1, 3)
        fixture.current.purge()
        let left = try fixture.database.read {
            try Int.fetchAll($0, sql: "SELECT count(*) FROM audit WHERE event = 'login' GROUP BY user_id ORDER BY time")
        }
        #expect(left == (days == nil ? [2_500, 3] : [3]))
    }

    @Test(.onSQLite) func `unfinished registrations are removed, even without new ones`() throws {
        let fixture = try Fixture(configuration: "hold_unverified = yes\nregistration_ttl = 60\n")
        _ = try fixture.enroll()
        for number in 0..<3 { #expect(try begin(fixture, "user\(number)").status == 200) }
        fixture.current.purge()
        #expect(try count(fixture, "registration") == 4)
        fixture.clock.advance(61)
        fixture.current.purge()
        #expect(try count(fixture, "registration") == 1)
        #expect(try fixture.administrator.users().map(\.user) == ["alice"])
    }

    /// A network of another holder.
    private func network(_ number: Int) -> RequestSource {
        .address("2001:db8:\(String(number / 65_536, radix: 16)):\(String(number % 65_536, radix: 16))::/64")
    }

    /// How many lines the refused attempts have, and how many attempts these lines report.
    private func refusals(_ fixture: Fixture) throws -> (lines: Int, attempts: Int) {
        let kinds = ["register-refused", "refused", "throttle"]
        let lines = try fixture.auditText().split(separator: "\n").filter { line in
            kinds.contains { line.hasPrefix($0 + " ") }
        }
        let shared = lines.compactMap { line in
            line.firstMatch(of: /([0-9]+) more refused attempts/).flatMap { Int($0.1) }
        }
        return (lines.count, lines.count - shared.count + shared.reduce(0, +))
    }

    /// A password is not needed for these requests, and a /48 has 65,536 networks.
    @Test(arguments: ["/rps/user", "/otp"]) func `many networks together have few lines, and all attempts are counted`(
        _ path: String
    ) throws {
        let fixture = try Fixture()
        for number in 0..<4_000 {
            let peer = fixture.from(network(number))
            let answer =
                path == "/otp"
                ? try peer.post(path, ["userId": "alice", "otp": "123456"])
                : try peer.put(path, ["userId": "alice", "mobile": 1])
            #expect(answer.status == (path == "/otp" ? 401 : 403))
        }
        fixture.clock.advance(61)
        let first = try refusals(fixture)
        #expect(first.lines <= 600 + 21 && first.attempts == 4_000, "\(first)")
        // From then on, one line a second.
        for number in 0..<1_000 { _ = try fixture.from(network(number)).put("/rps/user", ["userId": "bob"]) }
        fixture.clock.advance(61)
        let second = try refusals(fixture)
        #expect(second.lines - first.lines <= 61 + 21 && second.attempts == 5_000, "\(second)")
    }

    @Test func `only so many registrations without a code are begun, by all networks and for one user`() throws {
        let fixture = try Fixture(configuration: "hold_unverified = yes\n")
        func begin(_ user: String, _ number: Int, code: String? = nil) throws -> Int {
            var body: [String: Any] = ["userId": user, "mobile": 1]
            body["activateCode"] = code
            return try fixture.from(network(number)).put("/rps/user", body).status
        }
        let ofOne = try (0..<110).map { try begin("alice", $0) }
        #expect(ofOne == Array(repeating: 200, count: 100) + Array(repeating: 429, count: 10))
        fixture.clock.advance(60)
        #expect(try (0..<2).map { try begin("alice", $0) } == [200, 429])
        let ofAll = try (0..<5_100).map { try begin("user\($0)", $0) }
        // 60 of the burst had come back after a minute.
        #expect(ofAll.count { $0 == 200 } == 5_000 - 100 + 60 - 1, "\(ofAll.count { $0 == 200 })")
        #expect(ofAll.last == 429 && ofAll.first == 200)
        // A user with a code is not a stranger.
        #expect(try begin("invited", 9_999, code: fixture.invite("invited")) == 200)
        fixture.clock.advance(1)
        #expect(try (0..<2).map { try begin("late\($0)", $0) } == [200, 429])
    }

    @Test(.onSQLite) func `only so many registrations are unfinished, however long they may be`() throws {
        let fixture = try Fixture(configuration: "hold_unverified = yes\nregistration_ttl = 604800\n")
        #expect(try begin(fixture, "alice").status == 200)
        let add = { (count: Int) in
            try fixture.database.write { database in
                for _ in 0..<count {
                    try database.execute(
                        sql: """
                            INSERT INTO registration (hash, user_id, device, mobile, state, created, expires)
                            SELECT randomblob(32), 'x', '', 1, 0, created, expires FROM registration WHERE user_id = 'alice'
                            """)
                }
            }
        }
        try add(9_998)
        #expect(try begin(fixture, "bob").status == 200)
        #expect(try begin(fixture, "carol").status == 429)
        #expect(try begin(fixture, "carol", code: fixture.invite("carol")).status == 200)
        fixture.clock.advance(604_801)
        #expect(try begin(fixture, "carol").status == 200)
    }

    @Test(.onSQLite) func `what has expired is removed, even if nothing is added`() throws {
        let fixture = try Fixture()
        _ = try fixture.invite("bob", seconds: 60)
        let now = Int64(ManualClock.noon)
        try fixture.database.execute(
            """
            INSERT INTO mail (link, digits, registration, user_id, expires) VALUES (x'00', x'00', x'00', 'bob', ?);
            INSERT INTO mailing (mailbox, source, time, wrong) VALUES ('bob@example.org', '192.0.2.7', ?, 0)
            """, [now + 60, now])
        let counts = { try ["invitation", "mail", "mailing"].map { try count(fixture, $0) } }
        fixture.current.purge()
        #expect(try counts() == [1, 1, 1])
        fixture.clock.advance(61)
        fixture.current.purge()
        #expect(try counts() == [0, 0, 1])
        fixture.clock.advance(86_400)
        fixture.current.purge()
        #expect(try counts() == [0, 0, 0])
    }

    @Test func `two spellings of one name are two users`() throws {
        let fixture = try Fixture()
        let names = ["Zoe\u{301}", "Zo\u{E9}"]
        for name in names { _ = try fixture.enroll(name) }
        let users = try fixture.administrator.users()
        #expect(users.map { Array($0.user.utf8) } == names.map { Array($0.utf8) })
        #expect(users.map(\.devices.count) == [1, 1])
    }
}
