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

    @Test(arguments: ["hold_unverified", "force_activate"])
    func `a user who registers without a code is charged`(_ key: String) throws {
        let fixture = try Fixture(configuration: "\(key) = yes\nfailures_per_source = 3\nfailure_refill_seconds = 10\n")
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

    @Test(arguments: ["hold_unverified", "force_activate"])
    func `a user who begins a registration again and again is charged`(_ key: String) throws {
        let fixture = try Fixture(configuration: "\(key) = yes\nfailures_per_source = 4\nfailure_refill_seconds = 10\n")
        let begun = try begin(fixture, "alice")
        let again = { (code: String?) in
            var body: [String: Any] = ["userId": "alice", "mobile": 1, "regOTT": begun.string("regOTT")]
            body["activateCode"] = code
            return try fixture.from(stranger).put("/rps/user/\(begun.string("mpinId"))", body)
        }
        #expect(try (0..<5).map { _ in try again(nil).status } == [200, 200, 200, 429, 429])
        #expect(try fixture.auditText().split(separator: "\n").count { $0.hasPrefix("register-again") } == 3)
        guard key == "hold_unverified" else { return }
        let activated = try again(fixture.invite("alice"))
        #expect(activated.object["active"] as? Bool == true)
    }

    @Test(arguments: [
        (ExpiredRows.registrations, "registrationByState (state=? AND expires<?)"),
        (ExpiredRows.events, "auditByTime (time<?)"),
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

    @Test(arguments: [(nil, 400), ("audit_days = 10\n", 10), ("audit_days = 0\n", nil)] as [(String?, Int?)])
    func `the audit log is kept for so many days, however much there is`(
        _ configuration: String?, _ days: Int?
    ) throws {
        let fixture = try Fixture(configuration: configuration)
        let now = Int64(ManualClock.noon)
        let add = { (age: Int64, lines: Int) in
            try fixture.database.write { database in
                for _ in 0..<lines {
                    try database.execute(
                        sql: "INSERT INTO audit (time, event, user) VALUES (?, 'login', ?)",
                        arguments: [(now - age) * 1_000, "age \(age)"])
                }
            }
        }
        let limit = Int64(days ?? 20_000) * 86_400
        try add(limit + 1, 2_500)
        try add(limit - 1, 3)
        fixture.current.purge()
        let left = try fixture.database.read {
            try Int.fetchAll($0, sql: "SELECT count(*) FROM audit WHERE event = 'login' GROUP BY user ORDER BY time")
        }
        #expect(left == (days == nil ? [2_500, 3] : [3]))
    }

    @Test func `unfinished registrations are removed, even without new ones`() throws {
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

    @Test func `two spellings of one name are two users`() throws {
        let fixture = try Fixture()
        let names = ["Zoe\u{301}", "Zo\u{E9}"]
        for name in names { _ = try fixture.enroll(name) }
        let users = try fixture.administrator.users()
        #expect(users.map { Array($0.user.utf8) } == names.map { Array($0.utf8) })
        #expect(users.map(\.devices.count) == [1, 1])
    }
}
