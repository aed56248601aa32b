// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import MPinServer
import MPinServerStorage
import Testing

/// Direct logins sent again, and those of other times.
@Suite struct DirectReplayTests {
    private let fixture: Fixture
    private let alice: Device

    init() throws {
        (fixture, alice) = try Fixture.withDevice()
    }

    @Test func `a login is good once, before and after a restart, right or wrong`() throws {
        let requests = try ["1234", "9999"].map { try DirectRequest(alice, pin: $0) }
        #expect(try requests.map { try $0.send(at: fixture).status } == [200, 401])
        for _ in 0..<2 {
            #expect(try requests.map { try $0.send(at: fixture).status } == [409, 409])
            try fixture.restart()
        }
        #expect(try fixture.shown().failures == 1)
    }

    @Test func `of one login sent many times at once one is judged`() throws {
        for (pin, status) in [("1234", 200), ("9999", 401)] {
            let request = try DirectRequest(alice, pin: pin)
            let statuses = try onThreads(32) { _ in try request.send(at: fixture).status }
            #expect(
                statuses.filter { $0 == status }.count == 1
                    && statuses.filter { ([409] + Fixture.tooMany).contains($0) }.count == 31)
        }
        #expect(try fixture.shown().failures == 1)
    }

    @Test func `a time that is 90 seconds off is good; otherwise the answer names the server's`() throws {
        let now = fixture.milliseconds
        for distance: Int64 in [-90_001, 90_001, -86_400_000, 86_400_000, Int64.max - now, 1 - now] {
            for pin in ["1234", "9999"] {
                let refused = try DirectRequest(alice, pin: pin, time: now + distance).send(at: fixture)
                #expect(refused.status == 408 && refused.object["nowTime"] as? Int64 == now, "\(distance)")
            }
        }
        #expect(try fixture.shown().failures == 0)
        for distance: Int64 in [90_000, -90_000] {
            #expect(try DirectRequest(alice, time: now + distance).send(at: fixture).status == 200)
        }
    }

    /// After 408 within 60 seconds, a client sends the same PIN again. Its clock may be behind by almost the window.
    @Test(arguments: [31_000, 90_000] as [Int64])
    func `no copy of a verified login gets 408 while its client may repeat the login`(behind: Int64) throws {
        let time = fixture.milliseconds - behind
        let requests = try ["1234", "9999"].map { try DirectRequest(alice, pin: $0, time: time) }
        #expect(try requests.map { try $0.send(at: fixture).status } == [200, 401])
        let start = fixture.clock.wall
        for age in [(90_001 - behind + 999) / 1_000, 60] {
            fixture.clock.set(wall: start + age)
            #expect(try alice.login(at: fixture).status == 200)
            fixture.current.purge()
            #expect(try requests.map { try $0.send(at: fixture).status } == [409, 409], "\(age)")
            try fixture.restart()
            #expect(try requests.map { try $0.send(at: fixture).status } == [409, 409], "\(age)")
        }
        // Only the device's signature shows it.
        var forged = requests[0]
        forged.signature[40] ^= 1
        #expect(try forged.send(at: fixture).status == 408)
        fixture.clock.set(wall: start + (150_001 - behind + 999) / 1_000)
        fixture.current.purge()
        #expect(try requests.map { try $0.send(at: fixture).status } == [408, 408])
    }

    @Test func `a login that was too late is not verified afterwards`() throws {
        let requests = try ["1234", "9999"].map {
            try DirectRequest(alice, pin: $0, time: fixture.milliseconds - 90_001)
        }
        #expect(try requests.map { try $0.send(at: fixture).status } == [408, 408])
        // A copy that was checked for its time before, and gets its turn only now.
        fixture.clock.advance(-1)
        #expect(try requests.map { try $0.send(at: fixture).status } == [409, 409])
        #expect(try fixture.shown().failures == 0)
    }

    /// A client whose clock is ahead signs a time that will come. After the 408 it sends its PIN again.
    @Test func `a login that was too early is not verified when its time comes`() throws {
        let requests = try ["1234", "9999"].map {
            try DirectRequest(alice, pin: $0, time: fixture.milliseconds + 95_000)
        }
        #expect(try requests.map { try $0.send(at: fixture).status } == [408, 408])
        #expect(try requests.map { try $0.send(at: fixture).status } == [409, 409])
        for seconds in [20, 80, 100] as [Int64] {
            fixture.clock.advance(seconds)
            fixture.current.purge()
            #expect(try requests.map { try $0.send(at: fixture).status } == [409, 409])
            try fixture.restart()
        }
        #expect(try fixture.shown().failures == 0 && alice.login(at: fixture).status == 200)
        // Nor does a device fill the database with times to come.
        let many = try (0..<70).map { try DirectRequest(alice, time: fixture.milliseconds + 1_000_000 + $0) }
        let statuses = try many.map { try $0.send(at: fixture).status }
        #expect(statuses.count { $0 == 408 } == 64 && statuses.last == 409)
        #expect(try alice.login(at: fixture).status == 200)
    }

    @Test func `what is forgotten is behind the floor, whatever the clock shows`() throws {
        let bob = try fixture.device("bob")
        let old = try (0..<20).map { try DirectRequest($0 < 10 ? alice : bob) }
        for request in old { #expect(try request.send(at: fixture).status == 200) }
        fixture.clock.advance(151)
        // A login deletes those of its device, the upkeep all others.
        #expect(try alice.login(at: fixture).status == 200)
        #expect(try fixture.commitments() == 11)
        fixture.current.purge()
        #expect(try fixture.commitments() == 1)
        let last = fixture.milliseconds
        func horizon() throws -> Int64? {
            try fixture.storage.read { try $0.value("SELECT time FROM horizon") as Int64? }
        }
        for _ in 0..<2 {
            for request in old { #expect(try request.send(at: fixture).status == 408) }
            // Back to when they were made.
            fixture.clock.set(wall: ManualClock.noon)
            try fixture.restart()
        }
        // The owner learns the right time, and logs in with it.
        fixture.clock.set(wall: ManualClock.noon - 3_600)
        let refused = try alice.login(at: fixture)
        let time = try #require(refused.object["nowTime"] as? Int64)
        #expect(refused.status == 408 && time == last - 150_000)
        #expect(try bob.login(at: fixture).object["nowTime"] as? Int64 == old[19].time + 1)
        // Only a device that has signed meets its floor.
        var forged = try DirectRequest(alice)
        forged.signature[40] ^= 1
        #expect(try forged.send(at: fixture).status == 404)
        #expect(try horizon() == 0)
        #expect(try DirectRequest(alice, time: time).send(at: fixture).status == 200)
        #expect(try DirectRequest(alice, time: time).send(at: fixture).status == 200)
    }

    @Test func `after a backup was restored nothing from before is good`() throws {
        let (server, alice) = try RunningServer.withDevice()
        let file = server.directory + "/backup"
        let before = try DirectRequest(alice)
        #expect(try before.send(at: server.peer).status == 200)
        #expect(try server.command("backup", file).code == 0)
        // As far ahead as a device's clock may be.
        let after = try [0, 80_000].map { try DirectRequest(alice, time: alice.now() + $0) }
        for request in after { #expect(try request.send(at: server.peer).status == 200) }
        #expect(server.stop() == 0)
        #expect(try server.command("restore", file).code == 0)
        try server.start()
        // The backup has the first one as used, and lacks the others.
        #expect(try ([before] + after).map { try $0.send(at: server.peer).status } == [409, 408, 408])
        let refused = try alice.login(at: server.peer)
        let time = try #require(refused.object["nowTime"] as? Int64)
        #expect(refused.status == 408 && time > after[1].time)
        #expect(try DirectRequest(alice, time: time).send(at: server.peer).status == 200)
    }

    @Test func `a login after a restore is used up by the next restore too`() throws {
        let (server, alice) = try RunningServer.withDevice()
        let file = server.directory + "/backup"
        #expect(try server.command("backup", file).code == 0)
        func restore() throws {
            #expect(server.stop() == 0)
            let restored = try server.command("restore", file)
            #expect(restored.code == 0 && restored.object["usedLoginsKnown"] == nil, "\(restored.errors)")
            try server.start()
        }
        try restore()
        // The server's time is ahead of the clock now, and a device may be ahead of the server.
        let time = try #require(alice.login(at: server.peer).object["nowTime"] as? Int64)
        let ahead = try DirectRequest(alice, time: time + 85_000)
        #expect(try ahead.send(at: server.peer).status == 200)
        try restore()
        #expect(try ahead.send(at: server.peer).status == 408)
        let next = try #require(alice.login(at: server.peer).object["nowTime"] as? Int64)
        #expect(next > time + 85_000)
        #expect(try DirectRequest(alice, time: next).send(at: server.peer).status == 200)
    }

    /// A clock that was a day ahead and was set right leaves the same as one that is a day behind now.
    @Test(arguments: ["horizon", "floor"])
    func `a restore uses the times that the replaced database has accepted, not the clock`(place: String) throws {
        let (server, alice) = try RunningServer.withDevice()
        let file = server.directory + "/backup"
        #expect(try server.command("backup", file).code == 0)
        let database = try DatabaseQueue.waiting(server.directory + "/state/mpin.sqlite")
        let day: Int64 = 86_400_000
        let statement =
            place == "horizon" ? "UPDATE horizon SET time = ?" : "UPDATE registration SET floor = ?"
        try database.execute(statement, [alice.now() + day])
        let time = try #require(alice.login(at: server.peer).object["nowTime"] as? Int64)
        let used = try DirectRequest(alice, time: time)
        #expect(try used.send(at: server.peer).status == 200)
        #expect(server.stop() == 0)
        try database.close()
        #expect(try server.command("restore", file).code == 0)
        try server.start()
        #expect(try used.send(at: server.peer).status == 408)
        let next = try #require(alice.login(at: server.peer).object["nowTime"] as? Int64)
        #expect(next > time)
        #expect(try DirectRequest(alice, time: next).send(at: server.peer).status == 200)
    }

    @Test func `a login that was refused for its time moves no later restore`() throws {
        let (server, alice) = try RunningServer.withDevice()
        let file = server.directory + "/backup"
        #expect(try server.command("backup", file).code == 0)
        let early = try DirectRequest(alice, time: alice.now() + 86_000_000)
        #expect(try [408, 409] == (0..<2).map { _ in try early.send(at: server.peer).status })
        #expect(server.stop() == 0)
        #expect(try server.command("restore", file).code == 0)
        let limit = alice.now() + 100_000
        try server.start()
        let next = try #require(alice.login(at: server.peer).object["nowTime"] as? Int64)
        #expect(next < limit)
    }

    @Test func `a restore over a database that cannot be read uses the clock and reports it`() throws {
        let (server, alice) = try RunningServer.withDevice()
        let file = server.directory + "/backup"
        #expect(try server.command("backup", file).code == 0)
        #expect(server.stop() == 0)
        let database = URL(fileURLWithPath: server.directory + "/state/mpin.sqlite")
        try Data(repeating: 7, count: 8_192).write(to: database)
        let text = try Program.run(["restore", file, "--dir", server.directory])
        #expect(
            text.code == 0 && text.output.contains("no longer knows which signed logins were used after"),
            "\(text.output)")
        try Data(repeating: 7, count: 8_192).write(to: database)
        let object = try server.command("restore", file)
        #expect(object.code == 0 && object.object["usedLoginsKnown"] as? Bool == false, "\(object.errors)")
        let later = alice.now() + 90_000
        try server.start()
        let time = try #require(alice.login(at: server.peer).object["nowTime"] as? Int64)
        #expect(time > later - 10_000)
        #expect(try DirectRequest(alice, time: time).send(at: server.peer).status == 200)
    }

    @Test func `a request that is not judged uses nothing up`() throws {
        for _ in 0..<3 { _ = try alice.login(pin: "9999", at: fixture) }
        let request = try DirectRequest(alice)
        #expect(try request.send(at: fixture).status == 410)
        _ = try fixture.administrator.revoke("alice", reason: nil)
        #expect(try request.send(at: fixture).status == 403)
        #expect(try fixture.commitments() == 3)
        _ = try fixture.administrator.restore("alice")
        #expect(try fixture.administrator.unblock("alice") == 1)
        #expect(try request.send(at: fixture).status == 200)
    }

    @Test func `a purge of the user takes the commitments along`() throws {
        #expect(try alice.login(at: fixture).status == 200)
        _ = try fixture.administrator.purge("alice")
        #expect(try fixture.commitments() == 0)
        #expect(try alice.login(at: fixture).status == 404)
    }
}

extension Fixture {
    /// How many used commitments are written down.
    func commitments() throws -> Int {
        try storage.read { try $0.value("SELECT count(*) FROM commitment") ?? 0 }
    }
}
