// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import MPinServer
import MPinServerStorage
import Testing

/// The times of `audit`, and its export.
@Suite final class AuditExportTests {
    /// The directory of a server whose audit log has a line for each of some days, and one that a spreadsheet would run.
    private let path = NSTemporaryDirectory() + "mpin-audit-" + UUID().uuidString.prefix(8)

    init() throws {
        _ = try Initialization.run(ServerDirectory(path), publicURL: nil, actor: "test")
        try change { database in
            try database.execute(sql: "DELETE FROM audit")
            for (day, user) in [(19, "a"), (20, "b,\"c"), (21, "=1+1"), (22, "d\u{E9}")] {
                let time = try #require(Timestamp(utc: "2026-11-\(day)T23:59:59"))
                try database.execute(
                    sql: "INSERT INTO audit (time, event, user) VALUES (?, 'login', ?)",
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
            return events?.compactMap { $0["userId"] as? String }.map { String($0.prefix(1)) }.joined()
        }
        #expect(try users([]) == "ab=d")
        #expect(try users(["--since", "2026-11-20"]) == "b=d")
        #expect(try users(["--until", "2026-11-20"]) == "ab")
        #expect(try users(["--since", "2026-11-20", "--until", "2026-11-21"]) == "b=")
        #expect(try users(["--since", "2026-11-20T23:59:59Z", "--until", "2026-11-21T23:59:59"]) == "b")
        #expect(try users(["--since", "2026-11-22T23:59"]) == "d")
        #expect(try users(["--since", "2026-11-22", "--until", "2026-11-20"]) == "")
        let seconds = try #require(Timestamp(utc: "2026-11-22")).seconds
        #expect(try users(["--since", String(seconds)]) == "d")
        for wrong in ["2026-11-31", "2026-13-01", "20.11.2026", "2026-11-20T24:00", "2026-11-20 08:00", "-1", ""] {
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
                    sql: "INSERT INTO audit (time, event, user) VALUES (?, ?, 'alice')",
                    arguments: [time + Int64(delay), event])
            }
        }
        let order = ["login", "wrong-pin", "wrong-pin"]
        let listed = try run("--user", "alice", "--json").object["events"] as? [[String: Any]]
        #expect(listed?.map { $0["event"] as? String } == order)
        let exported = try run("--user", "alice", "--format", "csv").output.split(whereSeparator: \.isNewline)
        #expect(exported.dropFirst().map { String($0.split(separator: ",")[1]) } == order)
        let newest = try run("--user", "alice", "--limit", "2", "--json").object["events"] as? [[String: Any]]
        #expect(newest?.map { $0["event"] as? String } == ["login", "wrong-pin"])
    }

    @Test func `each format has a line for each event, which programs can read`() throws {
        #expect(
            try run("--format", "csv").output == """
                time,event,user,source,actor,detail
                2026-11-19T23:59:59Z,login,a,,,
                2026-11-20T23:59:59Z,login,"b,""c",,,
                2026-11-21T23:59:59Z,login,'=1+1,,,
                2026-11-22T23:59:59Z,login,d\u{E9},,,

                """)
        let lines = try run("--format", "json", "--limit", "2").output.split(separator: "\n")
        let objects = try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: String] }
        #expect(objects.map { $0?["userId"] } == ["=1+1", "d\u{E9}"])
        #expect(try run("--format", "csv", "--user", "nobody").output == "time,event,user,source,actor,detail\n")
        #expect(try run("--format", "csv", "--json").code == 64)
        #expect(try run("--format", "xml").code == 64)
    }

    @Test func `an export has all there is, however much`() throws {
        try change {
            try $0.execute(
                sql: """
                    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12500)
                    INSERT INTO audit (time, event, user) SELECT i, 'login', 'u' || i FROM n
                    """)
        }
        let lines = try run("--format", "csv").output.split(separator: "\n")
        #expect(lines.count == 1 + 4 + 12_500)
        #expect(lines.last?.contains(",u12500,") == true)
        #expect(try run().output.split(separator: "\n").count == 10_000)
    }
}
