// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import MPinServer
import Synchronization
import Testing

/// Another process that holds the lock of the database: a backup tool, or a shell that was left open.
private final class LockHolder: Sendable {
    private let release = DispatchSemaphore(value: 0)
    private let released = DispatchSemaphore(value: 0)

    init(_ path: String) throws {
        let queue = try DatabaseQueue(path: path)
        let held = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [release, released] in
            try? queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA busy_timeout = 30000; BEGIN EXCLUSIVE")
                held.signal()
                release.wait()
                try database.execute(sql: "ROLLBACK")
            }
            try? queue.close()
            released.signal()
        }
        guard held.wait(timeout: .now() + 120) == .success else { throw ThreadsHang() }
    }

    func end() {
        release.signal()
        released.wait()
    }
}

@Suite(.serialized) struct LockedDatabaseTests {
    /// The result of a request, and its duration in seconds.
    private struct Timed: Sendable {
        let status: Int
        let retryAfter: String?
        let seconds: Double
    }

    private func timed(_ body: () throws -> Answer) rethrows -> Timed {
        let start = ContinuousClock.now
        let answer = try body()
        return Timed(
            status: answer.status, retryAfter: answer.headers["retry-after"],
            seconds: (ContinuousClock.now - start) / .seconds(1))
    }

    @Test func `a request that needs a write fails at once, nothing is judged, and all others are served`() throws {
        let server = try RunningServer()
        let peer = server.peer
        let alice = try server.enroll("alice")
        let bob = try server.enroll("bob")
        let right = try Login(bob, at: peer)
        let wrong = try (0..<30).map { _ in try Login(alice, pin: "9999", at: peer) }
        let codes = try (0..<4).map { try server.invite("new\($0)") }
        let holder = try LockHolder(server.directory + "/state/mpin.sqlite")
        // Far more than there are threads.
        let answers = try onThreads(54) { number in
            switch number {
            case ..<30: try timed { try wrong[number].passTwo(at: peer) }
            case ..<34:
                try timed {
                    try peer.put("/rps/user", ["userId": "new\(number - 30)", "activateCode": codes[number - 30]])
                }
            case 34: try timed { try right.passTwo(at: peer) }
            case ..<42: try timed { try peer.get("/rps/clientSettings") }
            case ..<48: try timed { try peer.get("/") }
            default: try timed { try peer.get("/rps/timePermit/\(alice.mpinID)") }
            }
        }
        for answer in answers.prefix(35) {
            #expect(answer.status == 503)
            #expect(answer.retryAfter != nil)
        }
        for answer in answers.suffix(19) { #expect(answer.status == 200) }
        // Two seconds are promised. A loaded machine gets more, and one after the other would take half a minute.
        #expect(answers.allSatisfy { $0.seconds < 20 }, "\(answers.map(\.seconds))")
        holder.end()
        #expect(try server.command("user", "show", "alice").text.contains("\"failures\":0"))
        #expect(try right.finish(at: peer).status == 200)
        for number in 0..<4 { _ = try ClientRegistration.register("new\(number)", code: codes[number], at: peer) }
        #expect(try wrong[0].finish(at: peer).status == 401)
        #expect(try alice.login(at: peer).status == 200)
        #expect(server.stop() == 0)
    }

    @Test func `a login that was to revoke something is good for that later`() throws {
        let (server, alice) = try RunningServer.enrolled()
        let old = try server.enroll("alice")
        let judged = try Login(alice, at: server.peer).passTwo(at: server.peer)
        let revoke = {
            try server.peer.post(
                "/mpinRevoke", ["mpinResponse": ["authOTT": judged.string("authOTT")], "revoke": old.mpinID])
        }
        let holder = try LockHolder(server.directory + "/state/mpin.sqlite")
        #expect(try revoke().status == 503)
        holder.end()
        #expect(try revoke().status == 200)
        #expect(try revoke().status == 408)
    }

    @Test func `later the audit log has the events of that time`() throws {
        let (server, alice) = try RunningServer.enrolled()
        let judged = try Login(alice, at: server.peer).passTwo(at: server.peer)
        let holder = try LockHolder(server.directory + "/state/mpin.sqlite")
        #expect(try Login.redeem(judged, at: server.peer).status == 200)
        let isKept = becomes { server.logText.contains("cannot write audit events, will retry") }
        holder.end()
        #expect(isKept)
        let written = try becomes {
            let events = try server.command("audit", "--user", "alice").object["events"] as? [[String: Any]] ?? []
            return events.contains { $0["event"] as? String == "login" }
        }
        #expect(written)
        #expect(becomes { server.logText.contains("audit events are written again") })
    }

    /// A server that is asked to stop while a login waits for the audit log, and writes are impossible.
    private func stopping(_ body: (RunningServer, LockHolder, _ end: () -> Void) throws -> Void) throws {
        let (server, alice) = try RunningServer.enrolled()
        let judged = try Login(alice, at: server.peer).passTwo(at: server.peer)
        let holder = try LockHolder(server.directory + "/state/mpin.sqlite")
        #expect(try Login.redeem(judged, at: server.peer).status == 200)
        #expect(becomes { server.logText.contains("cannot write audit events, will retry") })
        #expect(kill(server.processIdentifier, SIGTERM) == 0)
        try body(server, holder) { server.wait() }
    }

    private func events(_ server: RunningServer) throws -> [String] {
        let events = try server.command("audit").object["events"] as? [[String: Any]] ?? []
        return events.compactMap { $0["event"] as? String }
    }

    @Test func `what cannot be written at the stop is logged before it is lost`() throws {
        try stopping { server, holder, end in
            end()
            holder.end()
            let lost = server.logText.split(separator: "\n").filter { $0.contains("an audit event is lost") }
            #expect(lost.contains { $0.contains("event=login") && $0.contains("user=alice") }, "\(server.logText)")
            #expect(lost.contains { $0.contains("event=stop") })
            let written = try events(server)
            #expect(!written.contains("stop"))
        }
    }

    @Test func `a stop waits a while for the lock, and then loses nothing`() throws {
        try stopping { server, holder, end in
            let isStopping = becomes { server.logText.contains("waiting until the audit events are written") }
            holder.end()
            end()
            #expect(isStopping)
            let written = try events(server)
            #expect(Set(["login", "stop"]).isSubset(of: written))
            #expect(!server.logText.contains("an audit event is lost"))
        }
    }

    @Test func `a command says that another process holds the lock`() throws {
        let server = try RunningServer()
        let holder = try LockHolder(server.directory + "/state/mpin.sqlite")
        defer { holder.end() }
        let result = try server.command("invite", "alice")
        #expect(result.code == 69)
        #expect(result.output.contains("another process has locked the database"))
    }
}

extension Program.Result {
    /// The object, without the space between its parts.
    fileprivate var text: String { output.filter { !$0.isWhitespace } }
}
