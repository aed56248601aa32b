// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import MPinServer
import MPinServerStorage
import Testing

/// The times of `audit`, and its limit.
@Suite final class AuditTimeTests {
    /// The directory of a server whose audit log has a line for each of some days.
    private let path = NSTemporaryDirectory() + "mpin-audit-" + UUID().uuidString.prefix(8)

    init() throws {
        _ = try Initialization.run(ServerDirectory(path), publicURL: nil, actor: "test")
        try change { database in
            try database.execute(sql: "DELETE FROM audit")
            for (day, user) in [(19, "a"), (20, "b"), (21, "c"), (22, "d")] {
                let time = try #require(Timestamp(utc: "2026-11-\(day)T23:59:59"))
                try database.execute(
                    sql: "INSERT INTO audit (time, event, user_id) VALUES (?, 'login', ?)",
                    arguments: [time.milliseconds + 500, user])
            }
        }
    }

    private func change(_ body: (Database) throws -> Void) throws {
        let queue = try DatabaseQueue(path: path + "/state/mpin.sqlite")
        try queue.write(body)
        try queue.close()
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    private func run(_ words: String...) throws -> Program.Result {
        try Program.run(["audit", "--dir", path] + words)
    }

    @Test func `a day is meant from its first second to its last`() throws {
        let users = { [path] (words: [String]) in
            let events =
                try Program.run(["audit", "--dir", path, "--json"] + words).object["events"] as? [[String: Any]]
            return events?.compactMap { $0["userId"] as? String }.joined()
        }
        #expect(try users([]) == "abcd")
        #expect(try users(["--since", "2026-11-20"]) == "bcd")
        #expect(try users(["--until", "2026-11-20"]) == "ab")
        #expect(try users(["--since", "2026-11-20", "--until", "2026-11-21"]) == "bc")
        #expect(try users(["--since", "2026-11-20T23:59:59Z", "--until", "2026-11-21T23:59:59"]) == "b")
        #expect(try users(["--since", "2026-11-22T23:59"]) == "d")
        #expect(try users(["--since", "2026-11-22", "--until", "2026-11-20"]) == "")
        #expect(try users(["--until", "2026-11-21", "--limit", "2"]) == "bc")
        for wrong in [
            "2026-11-31", "2026-13-01", "20.11.2026", "2026-11-20T24:00", "2026-11-20 08:00", "1763596800", "",
        ] {
            let refused = try run("--since=\(wrong)")
            #expect(refused.code == 64 && refused.errors.contains("since"), "\(wrong): \(refused.errors)")
        }
    }

    /// A login is written up to a fifth of a second later than a wrong PIN, which is written with its count.
    @Test func `events are in the order of their times`() throws {
        try change { database in
            let time = try #require(Timestamp(utc: "2026-11-22T12:00:00")).milliseconds
            for (event, delay) in [("wrong-pin", 100), ("login", 0), ("wrong-pin", 200)] {
                try database.execute(
                    sql: "INSERT INTO audit (time, event, user_id) VALUES (?, ?, 'alice')",
                    arguments: [time + Int64(delay), event])
            }
        }
        let order = ["login", "wrong-pin", "wrong-pin"]
        let listed = try run("--user", "alice", "--json").object["events"] as? [[String: Any]]
        #expect(listed?.map { $0["event"] as? String } == order)
        let newest = try run("--user", "alice", "--limit", "2", "--json").object["events"] as? [[String: Any]]
        #expect(newest?.map { $0["event"] as? String } == ["login", "wrong-pin"])
    }

    @Test func `the newest events are shown, however many there are`() throws {
        try change {
            try $0.execute(
                sql: """
                    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12500)
                    INSERT INTO audit (time, event, user_id) SELECT i, 'login', 'u' || i FROM n
                    """)
        }
        let lines = try run("--limit", "20000").output.split(separator: "\n")
        #expect(lines.count == 4 + 12_500)
        #expect(lines.last?.contains("user=u12500") == true)
        #expect(try run().output.split(separator: "\n").count == 10_000)
    }
}
