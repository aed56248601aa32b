// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import MPinCrypto
import MPinServer
import MPinServerStorage
import MPinWire
import Testing

/// A disk that takes no more, in the shape of triggers.
@Suite(.onSQLite) struct AttemptCounterTests {
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

    /// A disk that is full only for settlements.
    private func fillForSettlements(_ fixture: Fixture) throws {
        try fixture.database.execute(
            """
            CREATE TRIGGER full BEFORE UPDATE ON registration WHEN NEW.reserved < OLD.reserved
            BEGIN SELECT RAISE(ABORT, 'full'); END
            """)
    }

    @Test(arguments: ["full", "lost"])
    func `a result that cannot be recorded is not reported, and the answer does not show which it was`(
        fault: String
    ) throws {
        let (fixture, alice) = try Fixture.enrolled(configuration: "max_invalid_login_attempts = 9\n")
        let device = try fixture.device("bob")
        #expect(try device.login(at: fixture).status == 200)
        if fault == "full" {
            try fillForSettlements(fixture)
        } else {
            // The reservation has expired, and a recount has deleted it.
            try fixture.database.execute(
                """
                CREATE TRIGGER full AFTER INSERT ON attempt BEGIN
                    DELETE FROM attempt; UPDATE registration SET reserved = 0; END
                """)
        }
        let requests = try ["1234", "9999"].map { try DirectRequest(device, pin: $0) }
        let logins = try ["1234", "9999"].map { try Login(alice, pin: $0, at: fixture) }
        for answers in [
            try requests.map { try $0.send(at: fixture) }, try logins.map { try $0.passTwo(at: fixture) },
            // The same challenge, answered again.
            try logins.map { try $0.passTwo(at: fixture) },
        ] {
            #expect(answers.map(\.status) == [503, 503])
            #expect(answers[0].unproven == answers[1].unproven && answers[0].headers == answers[1].headers)
            #expect(answers[0].headers["retry-after"] != nil)
        }
        // Each U once: a copy is not judged either.
        #expect(try requests.map { try $0.send(at: fixture).status } == [409, 409])
        #expect(try fixture.reservations() == (fault == "full" ? 6 : 0))
        try makeRoom(fixture)
        #expect(try device.login(at: fixture).status == 200)
        for user in ["alice", "bob"] {
            let device = try fixture.administrator.user(user).devices[0]
            #expect(device.failures == 0 && device.wrongSinceLastLogin == 0)
        }
        #expect(try !fixture.auditText().contains("wrong-pin"))
    }

    @Test(arguments: ["expiry", "restart"])
    func `reservations whose settlement failed hold others up until they expire`(end: String) throws {
        try fillForSettlements(fixture)
        for _ in 0..<3 { #expect(try alice.login(pin: "9999", at: fixture).status == 503) }
        try makeRoom(fixture)
        #expect(try fixture.reservations() == 3)
        #expect(try alice.login(at: fixture).status == 503)
        if end == "expiry" { fixture.clock.advance(31) } else { try fixture.restart() }
        #expect(try alice.login(at: fixture).status == 200)
        #expect(try fixture.reservations() == 0 && fixture.columns() == [0, 0])
        #expect(try [401, 401, 410] == (0..<3).map { _ in try alice.login(pin: "9999", at: fixture).status })
    }

    @Test func `while another process holds the database, the result of a reserved attempt is not reported`() throws {
        let storage = try ServerStorage(path: fixture.path + "/state/mpin.sqlite", patience: .milliseconds(100))
        let limits = AttemptLimits(inARow: 3, recent: 9, days: 1)
        let (now, hash) = (Timestamp(seconds: fixture.clock.wall), try hash)
        let result = try storage.reserveAttempt(
            7, hash, origin: .twoPasses(isTaken: true), limits: limits, now: now)
        guard case .reserved(let reservation) = result else { throw CancellationError() }
        try fixture.database.inTransaction(.immediate) { _ in
            #expect(throws: ServerError.self) { try storage.settleRight(reservation, limits: limits, now: now) }
            #expect(throws: ServerError.self) { try storage.settleWrong(reservation, limits: limits, now: now) }
            return .rollback
        }
        // A repeated settlement that was not written is the first.
        let counts = try (0..<2).map { _ in try storage.settleWrong(reservation, limits: limits, now: now) }
        #expect(counts.map { $0?.left } == [2, 2] && counts.map { $0?.isNew } == [true, false])
        #expect(try !storage.settleRight(reservation, limits: limits, now: now))
        #expect(try fixture.columns() == [0, 1])
    }

    @Test func `a reservation is repeated with its own number, and settled once`() throws {
        let device = try fixture.device("bob")
        let storage = try ServerStorage(path: fixture.path + "/state/mpin.sqlite")
        let limits = AttemptLimits(inARow: 1, recent: 9, days: 1)
        let (now, hash) = (Timestamp(seconds: fixture.clock.wall), try Hash.sha256(unhex(device.enrolled.mpinID)))
        let commitment = SignedCommitment(
            key: device.key.publicKey, hash: Array(repeating: 1, count: 32), time: now.milliseconds)
        func reserve(_ lease: Int64) throws -> ReservationResult {
            try storage.reserveAttempt(lease, hash, origin: .direct(commitment), limits: limits, now: now)
        }
        for _ in 0..<2 {
            guard case .reserved(let reservation) = try reserve(1) else { throw CancellationError() }
            #expect(try fixture.reservations() == 1)
            guard case .replayed = try reserve(2) else { throw CancellationError() }
            _ = reservation
        }
        guard case .reserved(let reservation) = try reserve(1) else { throw CancellationError() }
        #expect(try storage.settleRight(reservation, limits: limits, now: now))
        #expect(try !storage.settleRight(reservation, limits: limits, now: now))
        guard case .replayed = try reserve(1) else { throw CancellationError() }
    }

    private var hash: [UInt8] {
        get throws { try Hash.sha256(unhex(alice.mpinID)) }
    }

    @Test func `a right PIN forgets the wrong ones it knew, and no others`() throws {
        let (fixture, alice) = try Fixture.enrolled(configuration: "max_invalid_login_attempts = 5\n")
        for _ in 0..<2 { #expect(try alice.login(pin: "9999", at: fixture).status == 401) }
        // Another wrong one is counted while the right one is judged.
        let beside = "CREATE TRIGGER beside BEFORE UPDATE OF wrong ON attempt BEGIN UPDATE registration SET "
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

    @Test func `a commit waits for the disk, unless a right PIN changes only its reservation`() throws {
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
        // A right PIN first writes what a wrong one does.
        #expect(try levels("reserved") == [2, 2, 2, 2] && levels("wrong") == [1, 2, 1, 2])
    }

    @Test func `a settlement before a reservation does not keep their commit from the disk`() throws {
        let hash = try hash
        let storage = try ServerStorage(path: fixture.path + "/state/mpin.sqlite", patience: .seconds(30))
        let (limits, now) = (AttemptLimits(inARow: 9, recent: 9, days: 1), Timestamp(seconds: 1_700_000_000))
        @Sendable func reserve() throws -> Reservation {
            let result = try storage.reserveAttempt(
                .random(in: 1...Int64.max), hash, origin: .twoPasses(isTaken: true), limits: limits, now: now)
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
        start(thenWaiting: 1) { _ = try storage.withdrawAttempt(judged, limits: limits, now: now) }
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
