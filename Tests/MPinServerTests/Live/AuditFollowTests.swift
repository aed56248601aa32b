// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import MPinServer
import Synchronization
import Testing

@Suite struct AuditFollowTests {
    private let log: Log

    init() throws { log = try Log() }

    /// A server's directory, and another program that writes its audit log.
    private final class Log: Sendable {
        let directory = NSTemporaryDirectory() + "mpin-follow-" + UUID().uuidString.prefix(8)
        let queue: DatabaseQueue

        init() throws {
            _ = try Initialization.run(ServerDirectory(directory), publicURL: nil, actor: "test")
            queue = try DatabaseQueue(path: directory + "/state/mpin.sqlite")
        }

        deinit { try? FileManager.default.removeItem(atPath: directory) }

        func write(_ users: [String]) throws {
            try queue.write { database in
                for user in users {
                    try database.execute(
                        sql: "INSERT INTO audit (time, event, user_id) VALUES (1000, 'login', ?)", arguments: [user])
                }
            }
        }

        func follow(_ words: String...) throws -> FollowedLog { try FollowedLog(directory, words) }
    }

    private func users(_ lines: [String]) -> [String] {
        lines.map { line in
            let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
            return object?["userId"] ?? line
        }
    }

    @Test func `each event comes once and in order, however it was written`() throws {
        let names = (0..<2_500).map { "u\($0)" }
        try log.write(Array(names[..<3]))
        let follower = try log.follow("--json", "--limit", "2")
        #expect(users(follower.lines(2)) == ["u1", "u2"])
        // One by one, while the follower reads.
        for name in names[3..<500] { try log.write([name]) }
        // More than one part, in one transaction.
        try log.write(Array(names[500...]))
        #expect(users(follower.lines(2_499)) == Array(names[1...]))
        #expect(follower.end(SIGTERM) == 0)
        #expect(follower.all().count == 2_499)
    }

    @Test func `the options select the first events and the later ones`() throws {
        try log.write(["alice", "bob", "alice", "bob", "bob"])
        let alice = try log.follow("--user", "alice", "--limit", "1")
        #expect(alice.lines(1) == ["1970-01-01T00:00:01Z\tlogin\tuser=alice"])
        let all = try log.follow("--since", "1970-01-01")
        // In the order of their times, so the event of the creation is the last one.
        #expect(all.lines(6)[4] == "1970-01-01T00:00:01Z\tlogin\tuser=bob")
        try log.write(["bob", "alice"])
        #expect(alice.lines(2).count == 2 && all.lines(8).count == 8)
        #expect(alice.end(SIGINT) == 0 && all.end(SIGHUP) == 0)
        #expect(try Program.run(["audit", "--follow", "--until", "2026-11-20", "--dir", log.directory]).code == 64)
    }

    @Test func `without options, only new events come`() throws {
        try log.write(["old"])
        let follower = try log.follow()
        // Events come until the program has looked for the end of the log, and shows one.
        let written = Mutex((count: 0, isEnough: false))
        let writer = Thread {
            while !written.withLock(\.isEnough) {
                written.withLock { $0.count += 1 }
                try? log.write(["new\(written.withLock(\.count))"])
                usleep(100_000)
            }
            try? log.write(["end"])
        }
        writer.start()
        _ = follower.lines(1)
        written.withLock { $0.isEnough = true }
        var lines = follower.lines(2)
        while lines.last?.hasSuffix("user=end") == false { lines = follower.lines(lines.count + 1) }
        #expect(follower.end(SIGTERM) == 0)
        #expect(lines.dropLast().allSatisfy { $0.contains("user=new") })
        let found = lines.compactMap { Int($0.components(separatedBy: "user=new").last ?? "") }
        #expect(found == Array((found.first ?? 1)...written.withLock(\.count)))
    }

    @Test func `it ends when its reader is gone, and does not disturb writers`() throws {
        try log.write(["alice"])
        let follower = try log.follow("--limit", "1")
        #expect(follower.lines(1).count == 1)
        // A reader's transaction would keep the log of the database from being emptied.
        let isBusy = try log.queue.writeWithoutTransaction { try $0.checkpoint(.truncate).walFrameCount > 0 }
        #expect(!isBusy)
        try follower.leave()
        #expect(follower.end() == 0)
    }

    @Test func `events that expire, all of them, do not hide the next`() throws {
        try log.write(["a", "b"])
        let follower = try log.follow("--json", "--limit", "1")
        #expect(users(follower.lines(1)) == ["b"])
        try log.queue.execute("DELETE FROM audit")
        try log.write(["c"])
        #expect(users(follower.lines(2)) == ["b", "c"])
    }

    @Test func `a replaced database is an error`() throws {
        try log.write(["alice"])
        let follower = try log.follow("--limit", "1")
        #expect(follower.lines(1).count == 1)
        let path = log.directory + "/state/mpin.sqlite"
        try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
        try FileManager.default.copyItem(atPath: path + ".old", toPath: path)
        #expect(follower.end() == 74)
    }
}
