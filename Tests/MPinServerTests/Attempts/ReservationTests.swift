// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import MPinCrypto
import MPinServer
import MPinServerStorage
import Testing

/// Attempts that are being verified.
@Suite struct ReservationTests {
    @Test(.onSQLite) func `an attempt that was being verified when the server ended counts as nothing`() throws {
        let (fixture, alice) = try Fixture.enrolled()
        try fixture.reserve("alice", 3)
        try fixture.restart()
        #expect(try fixture.administrator.user("alice").devices[0].failures == 0)
        #expect(try fixture.reservations() == 0 && fixture.columns() == [0, 0])
        #expect(try !fixture.auditText().contains("wrong-pin"))
        #expect(try alice.login(pin: "9999", at: fixture).object["attemptsLeft"] as? Int == 2)
    }

    @Test func `columns that differ from the rows are counted again before they refuse a login`() throws {
        let (fixture, alice) = try Fixture.enrolled(configuration: "max_recent_wrong_attempts = 10\n")
        for columns in ["reserved = 3", "recent = 10", "reserved = 99, recent = 99"] {
            try fixture.change("UPDATE registration SET \(columns)")
            #expect(try alice.login(at: fixture).status == 200)
            #expect(try fixture.columns() == [0, 0], "\(columns)")
        }
        // Wrong PINs that no longer count do not make the answers report fewer tries either.
        for _ in 0..<2 { #expect(try alice.login(pin: "9999", at: fixture).status == 401) }
        try fixture.change("UPDATE registration SET recent = 9")
        let right = try alice.login(at: fixture)
        #expect(right.status == 200 && right.object["attemptsLeft"] == nil)
        try fixture.change("UPDATE registration SET recent = 9")
        #expect(try alice.login(pin: "9999", at: fixture).object["attemptsLeft"] as? Int == 2)
        #expect(try fixture.columns() == [0, 3])
    }

    @Test func `columns that no server writes do not end the server`() throws {
        let (fixture, alice) = try Fixture.enrolled()
        for column in ["seen", "wrong", "failures", "recent", "reserved", "floor", "confirmed"] {
            for value in [Int64.min, .max] {
                // The tables themselves refuse some of them.
                try? fixture.change("UPDATE registration SET \(column) = ?", [value])
                _ = try alice.login(at: fixture)
                _ = try alice.login(pin: "9999", at: fixture)
                _ = try fixture.administrator.user("alice")
            }
            try fixture.change("UPDATE registration SET \(column) = 0")
        }
        try fixture.change("DELETE FROM attempt")
        #expect(try alice.login(at: fixture).status == 200)
    }

    @Test func `a reservation made by a clock that was ahead expires when the clock is set back`() throws {
        let (fixture, alice) = try Fixture.enrolled()
        fixture.clock.advance(86_400)
        try fixture.reserve("alice", 3)
        fixture.clock.advance(-86_400)
        #expect(try alice.login(at: fixture).status == 200)
        #expect(try fixture.columns() == [0, 0])
    }

    @Test(.onSQLite) func `a registration with an open reservation is not replaced, and with an expired one it is`()
        throws
    {
        let (fixture, alice) = try Fixture.withDevice()
        try fixture.reserve("alice", 1)
        let storage = try ServerStorage(path: fixture.path + "/state/mpin.sqlite")
        func replace() throws -> Int? {
            let now = Timestamp(seconds: fixture.clock.wall)
            return try storage.replaceRegistration(
                Hash.sha256(unhex(alice.enrolled.mpinID)),
                by: NewRegistration(
                    hash: Array(repeating: 1, count: 32), user: "alice", device: "", mobile: 1, state: .activated,
                    ott: Array(repeating: 2, count: 32), created: now.seconds, expires: now.seconds + 60,
                    userData: nil, deviceKey: alice.key.publicKey),
                event: AuditEvent(.replaced, at: now, user: "alice"))
        }
        #expect(try replace() == nil)
        fixture.clock.advance(31)
        #expect(try replace() == 2)
    }

    @Test func `unblock leaves the reservations, and their attempts count`() throws {
        let (fixture, alice) = try Fixture.enrolled(configuration: "max_invalid_login_attempts = 1\n")
        #expect(try alice.login(pin: "9999", at: fixture).status == 410)
        try fixture.reserve("alice", 1)
        #expect(try fixture.administrator.unblock("alice") == 1)
        #expect(try fixture.columns() == [1, 0])
        #expect(try alice.login(at: fixture).status == 503)
    }

    @Test(.onSQLite) func `an attempt is reserved on the disk before it is judged`() throws {
        let (fixture, alice) = try Fixture.enrolled()
        // Notes the content of the tables at the moment when the judged one is settled.
        try fixture.database.execute(
            """
            CREATE TABLE seen (frames INTEGER);
            CREATE TRIGGER look BEFORE UPDATE OF wrong ON attempt BEGIN
                INSERT INTO seen SELECT count(*) FROM attempt WHERE wrong = 0; END
            """)
        #expect(try alice.login(at: fixture).status == 200)
        #expect(try fixture.database.read { try Int.fetchAll($0, sql: "SELECT frames FROM seen") } == [1])
        #expect(try fixture.reservations() == 0)
    }

    @Test(arguments: ["1234", "9999"])
    func `while only reservations fill the limit a request waits, and is neither judged nor blocked`(pin: String) throws
    {
        let (fixture, alice) = try Fixture.enrolled(configuration: "max_invalid_login_attempts = 1\n")
        let login = try Login(alice, pin: pin, at: fixture)
        try fixture.reserve("alice", 1)
        let start = ContinuousClock.now
        let answer = try login.passTwo(at: fixture)
        #expect(answer.status == 503)
        #expect(answer.headers["retry-after"] != nil)
        #expect(ContinuousClock.now - start > .seconds(1.9))
        try fixture.change("DELETE FROM attempt")
        #expect(try login.finish(at: fixture).status == (pin == "1234" ? 200 : 410))
    }

    @Test(arguments: [1, 2])
    func `right PINs at once wait for each other and all get in, whatever the limit`(limit: Int) throws {
        let (fixture, alice) = try Fixture.enrolled(configuration: "max_invalid_login_attempts = \(limit)\n")
        let permit = try alice.permit(at: fixture)
        let statuses = try onThreads(4) { _ in try Login(alice, permit: permit, at: fixture).finish(at: fixture).status
        }
        #expect(statuses.allSatisfy { $0 == 200 })
        #expect(try fixture.administrator.user("alice").devices[0].failures == 0)
        #expect(try fixture.reservations() == 0)
    }

    @Test func `one answer sent many times at once is judged once`() throws {
        for pin in ["1234", "9999"] {
            for named in [true, false] {
                let fixture = try Fixture()
                let login = try Login(fixture.enroll(), pin: pin, at: fixture)
                let answers = try onThreads(16) { _ in try login.passTwo(at: fixture, named: named) }
                #expect(answers.filter { $0.status == 200 }.count == 1)
                #expect(answers.filter { $0.status == 500 }.count == 15)
                #expect(try fixture.administrator.user("alice").devices[0].failures == (pin == "1234" ? 0 : 1))
            }
        }
    }

    @Test func `a judged answer without a name is not judged against a later pass 1`() throws {
        let (fixture, alice) = try Fixture.enrolled()
        for pin in ["1234", "9999"] {
            let login = try Login(alice, pin: pin, at: fixture)
            #expect(try login.passTwo(at: fixture, named: false).status == 200)
            let next = try Login(alice, at: fixture)
            #expect(try login.passTwo(at: fixture, named: false).status == 500)
            #expect(try next.finish(at: fixture, named: false).status == 200)
        }
        #expect(try fixture.administrator.user("alice").devices[0].failures == 0)
    }

    @Test(.onSQLite) func `strangers and registrations that are over reserve nothing`() throws {
        let (fixture, alice) = try Fixture.enrolled()
        let login = try Login(alice, pin: "9999", at: fixture)
        _ = try fixture.administrator.revoke("alice", reason: nil)
        #expect(try login.finish(at: fixture).status == 403)
        #expect(try fixture.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM attempt") } == 0)
    }

    @Test(.onSQLite) func `logins that wait for the disk share their commits`() throws {
        let fixture = try Fixture()
        let users = try (0..<12).map { try fixture.enroll("user\($0)") }
        for user in users { _ = try user.login(at: fixture) }
        // A machine too busy to let the threads come while the database is held says nothing.
        for _ in 0..<10 where try commitsShared(users, at: fixture) { return }
        Issue.record("every login had a commit to itself")
    }

    /// Whether twelve logins that came while the database was held needed fewer commits than two each.
    private func commitsShared(_ users: [ClientRegistration], at fixture: Fixture) throws -> Bool {
        let logins = try users.map { try Login($0, at: fixture) }
        fixture.current.flush()
        let before = try fixture.commits()
        let (isHeld, letGo) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let queue = try fixture.database
        Thread.detachNewThread {
            try? queue.inTransaction(.immediate) { _ in
                isHeld.signal()
                _ = letGo.wait(timeout: .now() + 1)
                return .rollback
            }
        }
        isHeld.wait()
        let statuses = try onThreads(12) { try logins[$0].passTwo(at: fixture).status }
        // Where the machine keeps the database held for longer than a login waits, the server refuses, and counts none.
        if statuses.contains(503) { return false }
        #expect(statuses.allSatisfy { $0 == 200 })
        fixture.current.flush()
        return try (1..<24).contains(fixture.commits() - before)
    }
}

extension Fixture {
    /// A connection of its own to the server's database.
    var database: DatabaseQueue {
        get throws {
            try DatabaseQueue.waiting(path + "/state/mpin.sqlite")
        }
    }

    /// Changes the database as nothing else does.
    func change(_ statement: String, _ parameters: Parameters = []) throws {
        try storage.write { try $0.execute(statement, parameters) }
    }

    /// Attempts that are reserved.
    func reservations() throws -> Int {
        try storage.read { try $0.value("SELECT count(*) FROM attempt WHERE wrong = 0") ?? 0 }
    }

    /// The columns of a user's registration that count attempts in progress and the wrong PINs of the last days.
    func columns(_ user: String = "alice") throws -> [Int] {
        try storage.read { connection in
            let row = try connection.row("SELECT reserved, recent FROM registration WHERE user_id = ?", [user])
            return try row.map { try [$0["reserved"], $0["recent"]] } ?? []
        }
    }

    /// Reserves attempts, as others that are being verified do.
    func reserve(_ user: String, _ count: Int) throws {
        for number in 1...count {
            try change(
                "INSERT INTO attempt (registration, id, time) SELECT id, ?, ? FROM registration WHERE user_id = ?",
                [number, clock.wall, user])
        }
        try change("UPDATE registration SET reserved = reserved + ? WHERE user_id = ?", [count, user])
    }

    /// The number of commits in the write-ahead log (https://www.sqlite.org/fileformat2.html#walformat): the frames
    /// that name the size of the database after them.
    func commits() throws -> Int {
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path + "/state/mpin.sqlite-wal")))
        func number(_ offset: Int) -> UInt32 { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        guard bytes.count > 32 else { return 0 }
        let salt = bytes[16..<24]
        let frames = stride(from: 32, to: bytes.count, by: 24 + Int(number(8)))
        return frames.filter { number($0 + 4) > 0 && bytes[$0 + 8..<$0 + 16].elementsEqual(salt) }.count
    }
}
