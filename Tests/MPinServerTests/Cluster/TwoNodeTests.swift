// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Synchronization
import Testing

/// Two servers on one PostgreSQL database.
@Suite(.withPostgreSQL) struct TwoNodeTests {
    private func nodes(_ configuration: String? = nil) throws -> (first: Fixture, second: Fixture) {
        let first = try Fixture(configuration: configuration, engine: .postgresql)
        return (first, try Fixture(besides: first))
    }

    @Test func `1000 wrong guesses at once at two nodes are judged exactly as often as the limit says, ten times`()
        throws
    {
        let (first, second) = try nodes()
        let alice = try first.device()
        for round in 1...10 {
            let guesses = try onThreads(4) { part in
                try (0..<250).map { try DirectRequest(alice, pin: String(2_000 + 250 * part + $0)) }
            }.flatMap(\.self)
            let statuses = try onThreads(1_000) {
                try guesses[$0].send(at: $0.isMultiple(of: 2) ? first : second).status
            }
            #expect(statuses.count { $0 == 401 } == 2, "round \(round)")
            #expect(statuses.allSatisfy { [401, 410, 429, 503].contains($0) } && statuses.contains(410))
            #expect(try first.shown().wrongSinceLastLogin == 3 * round && first.columns() == [0, 3])
            #expect(try second.administrator.unblock("alice") == 1)
        }
    }

    @Test func `a wrong PIN at each node counts once, and a right PIN at one forgets both`() throws {
        let (first, second) = try nodes()
        let alice = try first.device()
        #expect(try alice.login(pin: "9999", at: first).object["attemptsLeft"] as? Int == 2)
        #expect(try alice.login(pin: "9999", at: second).object["attemptsLeft"] as? Int == 1)
        #expect(try alice.login(at: first).status == 200)
        #expect(try alice.login(pin: "9999", at: second).object["attemptsLeft"] as? Int == 2)
    }

    @Test func `a signed login is accepted at one node only`() throws {
        let (first, second) = try nodes()
        let request = try DirectRequest(first.device())
        let statuses = try onThreads(64) { try request.send(at: $0.isMultiple(of: 2) ? first : second).status }
        // Only a few of one device wait for their turn.
        #expect(statuses.count { $0 == 200 } == 1 && statuses.count { [409, 429].contains($0) } == 63, "\(statuses)")
        #expect(try request.send(at: second).status == 409)
    }

    @Test func `many logins of one device leave the connections to others`() throws {
        let (first, second) = try nodes()
        let (alice, bob) = (try first.device("alice"), try first.device("bob"))
        let database = try #require(first.postgreSQL)
        let requests = try (0..<100).map { _ in try DirectRequest(alice) }
        // All logins of alice wait for this, longer than a node waits for the database.
        let lock = try PostgreSQLServer.shared.get().session(
            database, "BEGIN; SELECT FROM registration WHERE user_id = 'alice' FOR UPDATE; SELECT pg_sleep(8)")
        let background = Background()
        let statuses = Mutex<[Int]>([])
        for (number, request) in requests.enumerated() {
            background.start { _ in
                let status = try request.send(at: number.isMultiple(of: 2) ? first : second).status
                statuses.withLock { $0.append(status) }
            }
        }
        for server in [first, second] {
            let start = ContinuousClock.now
            #expect(try bob.login(at: server).status == 200)
            #expect(ContinuousClock.now - start < .seconds(3))
            #expect(lock.isRunning)
        }
        lock.waitUntilExit()
        try background.stop()
        // Each node lets eight of one device wait.
        let refused = statuses.withLock { $0.count { $0 == 429 } }
        #expect((1...84).contains(refused), "\(refused)")
        // If the disk is slow, a reservation was made that its node knows nothing of.
        first.clock.advance(31)
        let last = try DirectRequest(alice).sendUntilJudged(at: first)
        #expect(last.status == 200, "\(last)")
    }

    @Test func `eight logins of one device at each of two nodes all succeed`() throws {
        let (first, second) = try nodes()
        let alice = try first.device()
        let requests = try (0..<16).map { _ in try DirectRequest(alice) }
        let statuses = try onThreads(16) {
            try requests[$0].sendUntilJudged(at: $0.isMultiple(of: 2) ? first : second).status
        }
        #expect(statuses.allSatisfy { $0 == 200 }, "\(statuses)")
        #expect(try first.columns() == [0, 0])
    }

    @Test func `a user whom an administrator revokes at one node cannot log in at the other`() throws {
        let (first, second) = try nodes()
        let alice = try first.device()
        _ = try first.administrator.revoke("alice", reason: nil)
        #expect(try alice.login(at: second).status == 403)
    }

    @Test func `an invitation is used once, however many nodes get it at once`() throws {
        let (first, second) = try nodes()
        for user in 0..<8 {
            let code = try first.invite("user\(user)")
            let answers = try onThreads(16) { number -> Int in
                let node = number.isMultiple(of: 2) ? first : second
                return try node.put("/rps/user", ["userId": "user\(user)", "mobile": 1, "activateCode": code]).status
            }
            #expect(answers.count { $0 == 200 } >= 1)
            let alive = try first.storage.read { connection -> Int in
                try connection.value(
                    "SELECT count(*) FROM registration WHERE user_id = ? AND revoked IS NULL", ["user\(user)"]) ?? 0
            }
            #expect(alive == 1)
        }
    }

    @Test func `a start of a node does not expire the reservations of another`() throws {
        let (first, second) = try nodes()
        _ = try first.device()
        try first.reserve("alice", 2)
        try second.restart()
        #expect(try first.reservations() == 2)
    }

    @Test func `no order of three attempts breaks a rule`() throws {
        let (first, _) = try nodes()
        let orders = try AttemptOrders(
            first.device(), Array(AttemptOrderTests.attempts.prefix(3)), .init(AttemptOrderTests.limits(1)),
            mostDisturbances: 1)
        try first.storage.write { try orders.run($0) }
        #expect(orders.fault == nil)
        #expect(orders.states > 100)
    }
}
