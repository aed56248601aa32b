// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import MPinCrypto
import MPinServer
import MPinServerStorage
import MPinWire
import Testing

/// A disk that takes no more, in the shape of triggers.
@Suite struct AttemptCounterTests {
    private let fixture: Fixture
    private let alice: ClientRegistration

    init() throws {
        (fixture, alice) = try Fixture.enrolled()
    }

    /// Makes every write of a kind fail.
    private func fill(_ fixture: Fixture, _ kind: String, on table: String) throws {
        try fixture.database.execute(
            "CREATE TRIGGER full BEFORE \(kind) ON \(table) BEGIN SELECT RAISE(ABORT, 'full'); END")
    }

    private func makeRoom(_ fixture: Fixture) throws {
        try fixture.database.execute("DROP TRIGGER full")
    }

    @Test(arguments: [true, false], ["1234", "9999"])
    func `a server that cannot write judges nothing, and uses nothing up`(named: Bool, pin: String) throws {
        let login = try Login(alice, pin: pin, at: fixture)
        try fill(fixture, "INSERT", on: "attempt")
        for _ in 0..<5 {
            let answer = try login.passTwo(at: fixture, named: named)
            #expect(answer.status == 503)
            #expect(answer.headers["retry-after"] != nil)
            #expect(answer.object["authOTT"] == nil)
        }
        try makeRoom(fixture)
        #expect(try fixture.administrator.user("alice").devices[0].failures == 0)
        // The very answer is judged now.
        #expect(try login.finish(at: fixture, named: named).status == (pin == "1234" ? 200 : 401))
        #expect(try login.passTwo(at: fixture, named: named).status == 500)
    }

    @Test func `nothing that is not written lives in memory alone`() throws {
        try fill(fixture, "INSERT", on: "attempt")
        for _ in 0..<5 { #expect(try alice.login(pin: "9999", at: fixture).status == 503) }
        try makeRoom(fixture)
        // No block that only this process knows of.
        #expect(try alice.login(at: fixture).status == 200)
        try fixture.restart()
        #expect(try alice.login(at: fixture).status == 200)
    }

    @Test func `wrong PINs whose count cannot be written stay reserved, and are counted when it can`() throws {
        try fill(fixture, "UPDATE", on: "registration")
        let answers = try (0..<3).map { _ in try alice.login(pin: "9999", at: fixture) }
        #expect(answers.map(\.status) == [401, 401, 410])
        #expect(answers.map { $0.object["attemptsLeft"] as? Int } == [2, 1, 0])
        // Attempts that are not counted yet fill the limit: that is no block, and no login either.
        #expect(try alice.login(at: fixture).status == 503)
        #expect(try fixture.administrator.user("alice").devices[0].failures == 0)
        try makeRoom(fixture)
        #expect(try alice.login(at: fixture).status == 410)
        #expect(try fixture.administrator.user("alice").devices[0].failures == 3)
        let audit = try fixture.auditText().split(separator: "\n")
        #expect(audit.filter { $0.hasPrefix("wrong-pin alice") }.count == 2)
        #expect(audit.filter { $0.hasPrefix("block alice") }.count == 1)
        #expect(try fixture.administrator.unblock("alice") == 1)
        #expect(try alice.login(at: fixture).status == 200)
    }

    @Test func `wrong PINs whose count cannot be written outlive the process`() throws {
        try fill(fixture, "UPDATE", on: "registration")
        for status in [401, 401, 410] { #expect(try alice.login(pin: "9999", at: fixture).status == status) }
        try makeRoom(fixture)
        try fixture.restart()
        #expect(try fixture.administrator.user("alice").state == .blocked)
        #expect(try alice.login(at: fixture).status == 410)
        let audit = try fixture.auditText().split(separator: "\n")
        #expect(
            audit.filter {
                $0.hasPrefix("wrong-pin alice") && $0.hasSuffix("the server stopped while it verified the PIN")
            }.count == 2
        )
        #expect(audit.filter { $0.hasPrefix("block alice") }.count == 1)
    }

    @Test(arguments: ["UPDATE ON registration", "DELETE ON attempt"])
    func `a right PIN succeeds whether or not that can be written down`(write: String) throws {
        #expect(try alice.login(pin: "9999", at: fixture).status == 401)
        let parts = write.components(separatedBy: " ON ")
        try fill(fixture, parts[0], on: parts[1])
        #expect(try alice.login(at: fixture).status == 200)
        try makeRoom(fixture)
        fixture.current.flush()
        #expect(try fixture.administrator.user("alice").devices[0].failures == 0)
        #expect(try fixture.reservations() == 0)
        for _ in 0..<2 { #expect(try alice.login(pin: "9999", at: fixture).status == 401) }
        #expect(try alice.login(at: fixture).status == 200)
    }

    @Test func `a right PIN forgets the wrong ones it knew, and no others`() throws {
        let (fixture, alice) = try Fixture.enrolled(configuration: "max_invalid_login_attempts = 5\n")
        for _ in 0..<2 { #expect(try alice.login(pin: "9999", at: fixture).status == 401) }
        // Another wrong one is counted while the right one is judged.
        let beside = "CREATE TRIGGER beside BEFORE DELETE ON attempt WHEN OLD.wrong = 0 BEGIN UPDATE registration SET "
        try fixture.database.execute(beside + "failures = failures + 1, wrong = wrong + 1; END")
        #expect(try alice.login(at: fixture).status == 200)
        #expect(try fixture.administrator.user("alice").devices[0].failures == 1)
        // Unblocked while it is judged: the count does not fall below nothing.
        try fixture.database.execute("DROP TRIGGER beside; " + beside + "failures = 0; END")
        #expect(try alice.login(at: fixture).status == 200)
        #expect(try fixture.administrator.user("alice").devices[0].failures == 0)
    }

    /// Notes how each write is made durable: FULL is 2, NORMAL is 1
    /// (https://www.sqlite.org/pragma.html#pragma_synchronous). Only the writing connection knows, so a trigger asks it.
    private func noteLevels(_ events: [(name: String, event: String)]) throws {
        try fixture.database.execute("CREATE TABLE level (name TEXT, value INTEGER)")
        for (name, event) in events {
            try fixture.database.execute(
                """
                CREATE TRIGGER \(name) AFTER \(event) BEGIN
                    INSERT INTO level SELECT '\(name)', synchronous FROM pragma_synchronous; END
                """)
        }
    }

    @Test func `a commit waits for the disk, unless it only settles an attempt`() throws {
        #expect(try alice.login(at: fixture).status == 200)
        try noteLevels([
            ("reserved", "INSERT ON attempt"), ("returned", "DELETE ON attempt"),
            ("wrong", "UPDATE OF wrong ON attempt"), ("registered", "INSERT ON registration"),
            ("confirmed", "UPDATE OF confirmed ON registration WHEN OLD.confirmed IS NULL"),
        ])
        func levels(_ name: String) throws -> [Int] {
            fixture.current.flush()
            return try fixture.database.read {
                try Int.fetchAll($0, sql: "SELECT value FROM level WHERE name = ?", arguments: [name])
            }
        }
        #expect(try alice.login(at: fixture).status == 200)
        #expect(try levels("reserved") == [2] && levels("returned") == [1])
        // A setting of the connection for one write does not apply to the next.
        let bob = try fixture.enroll("bob")
        #expect(try levels("registered") == [2])
        // A first login uses up the code that made the registration.
        #expect(try bob.login(at: fixture).status == 200)
        #expect(try levels("confirmed") == [2])
        #expect(try alice.login(at: fixture).status == 200)
        #expect(try alice.login(pin: "9999", at: fixture).status == 401)
        #expect(try levels("reserved") == [2, 2, 2, 2] && levels("wrong").count == 1)
    }

    @Test func `a settlement before a reservation does not keep their commit from the disk`() throws {
        let digits = Array(alice.mpinID.utf8)
        let read = HexText(text: digits.span)
        let mpinID = try #require(read)
        let hash = try Identity(mpinID: mpinID.bytes).hash
        let storage = try SQLiteStorage(path: fixture.path + "/state/mpin.sqlite", patience: .seconds(30))
        let limits = AttemptLimits(inARow: 9, recent: 9, days: 1)
        @Sendable func reserve() throws -> Reservation {
            let now = Timestamp(seconds: 1_700_000_000)
            let result = try storage.reserveAttempt(hash, origin: .twoPasses(isTaken: true), limits: limits, now: now)
            guard case .reserved(let reservation) = result else { throw CancellationError() }
            return reservation
        }
        let judged = try reserve()
        try noteLevels([("reserved", "INSERT ON attempt"), ("settled", "DELETE ON attempt")])
        // While another process holds the database, the first write waits for it. The next two wait for their commit.
        let (held, release, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchGroup())
        let other = try fixture.database
        Thread.detachNewThread {
            try? other.inTransaction(.immediate) { _ in
                held.signal()
                release.wait()
                return .rollback
            }
        }
        held.wait()
        func start(thenWaiting count: Int, _ write: @escaping @Sendable () throws -> Void) {
            ended.enter()
            Thread.detachNewThread {
                #expect(throws: Never.self) { try write() }
                ended.leave()
            }
            usleep(200_000)
            #expect(becomes { storage.waitingWrites == count })
        }
        start(thenWaiting: 0) { _ = try reserve() }
        start(thenWaiting: 1) {
            let settlement = Settlement(hash: hash, reservation: judged, kind: .withdrawn)
            _ = try storage.settleAttempt(settlement, limits: limits, durability: .process)
        }
        start(thenWaiting: 2) { _ = try reserve() }
        release.signal()
        ended.wait()
        let levels = try fixture.database.read { try Row.fetchAll($0, sql: "SELECT name, value FROM level") }
        #expect(
            levels.map { "\($0["name"] as String) \($0["value"] as Int)" } == [
                "reserved 2", "settled 2", "reserved 2",
            ])
    }
}
