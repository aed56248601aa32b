// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServerStorage
import Synchronization
import Testing

/// Failures of PostgreSQL under nodes with logins: everything that a client was told must be there afterwards.
@Suite(.serialized, .withPostgreSQL) struct FailoverTests {
    /// All users, with their wrong PINs.
    private func wrong(_ server: PostgreSQLServer, _ database: String = "mpin") throws -> [String: Int] {
        let lines = try server.run(database, "SELECT user_id, wrong FROM registration").split(separator: "\n")
        return Dictionary(
            uniqueKeysWithValues: lines.compactMap { line in
                let columns = line.split(separator: "|")
                return columns.count == 2 ? Int(columns[1]).map { (String(columns[0]), $0) } : nil
            })
    }

    /// Checks the counts, and that no request that was accepted is accepted again.
    private func check(_ loads: [DeviceLoad], _ wrong: [String: Int], at peers: [some Peer]) throws {
        for load in loads {
            let notes = load.notes
            #expect(notes.unexpected.isEmpty, "\(load.user): \(notes.unexpected)")
            let count = try #require(wrong[load.user])
            #expect(notes.answered <= count && count <= notes.asked, "\(load.user): \(notes.answered)")
            for (number, request) in notes.accepted.enumerated() {
                let again = try request.send(at: peers[number % peers.count])
                #expect(again.status != 200, "\(load.user): \(again.status)")
            }
        }
    }

    private static let sessions = "FROM pg_stat_activity WHERE application_name = 'mpin-server'"
    private static let manyWrong = "max_recent_wrong_attempts = 100000\n"

    @Test func `a failover under load loses nothing that a client was told`() throws {
        let pair = try PostgreSQLPair()
        let nodes = try LiveNodes(pair, configuration: Self.manyWrong)
        let peers = [nodes.first.peer, nodes.second.peer]
        let loads = try (0..<4).map { DeviceLoad(try nodes.first.device("load\($0)")) }
        let guessers = try (0..<4).map { DeviceLoad(try nodes.first.device("guesser\($0)")) }
        let leavers = try (0..<8).map { try nodes.first.device("leaver\($0)") }
        let revoked = Mutex<[Device]>([])
        let enrolled = Mutex<[Device]>([])
        let directory = nodes.second.directory
        let background = Background()
        for load in loads { background.start { try load.run(at: peers, while: $0) } }
        background.start { isGoing in
            for leaver in leavers where isGoing() {
                let command = ["user", "revoke", leaver.enrolled.user, "--dir", directory, "--json"]
                if try Program.run(command).code == 0 { revoked.withLock { $0.append(leaver) } }
                let user = "new-" + leaver.enrolled.user
                let invited = try Program.run(["invite", user, "--dir", directory, "--json"])
                guard let code = invited.object["code"] as? String else { continue }
                let device = try? Device.register(
                    user, code: code, key: DeviceSecret(), at: peers[0],
                    now: { Int64(Date().timeIntervalSince1970 * 1_000) })
                if let device { enrolled.withLock { $0.append(device) } }
            }
        }
        Thread.sleep(forTimeInterval: 1)
        for guesser in guessers {
            for number in 0..<3 {
                background.start { isGoing in
                    for turn in 0..<3 where isGoing() { guesser.guess(at: peers[(number + turn) % 2]) }
                }
            }
        }
        Thread.sleep(forTimeInterval: 0.03)
        pair.primary.kill()
        let before = loads.map(\.notes.right)
        #expect(before.allSatisfy { $0 > 0 })
        try pair.promote()
        let start = ContinuousClock.now
        #expect(becomes(seconds: 30) { zip(loads, before).allSatisfy { $0.notes.right > $1 + 5 } })
        print("right PINs again after \(ContinuousClock.now - start)")
        try background.stop()

        let counts = try wrong(pair.standby)
        try check(loads, counts, at: peers)
        for guesser in guessers {
            let count = try #require(counts[guesser.user])
            #expect(guesser.notes.answered <= 2 && guesser.notes.answered <= count && count <= 3)
        }
        for leaver in revoked.withLock({ $0 }) { #expect(try leaver.login(at: peers[0]).status == 403) }
        for device in enrolled.withLock({ $0 }) { #expect(try device.login(at: peers[1]).status == 200) }
        print(
            "right \(loads.map(\.notes.right)), wrong \(loads.map(\.notes.answered)) of \(loads.map(\.notes.asked)), "
                + "guesses \(guessers.map(\.notes.answered)), revoked \(revoked.withLock(\.count)), "
                + "enrolled \(enrolled.withLock(\.count))")
    }

    @Test func `without an answer of a standby, logins fail in time, and nothing counts twice`() throws {
        let pair = try PostgreSQLPair()
        // Reservations that cannot be settled leave room for more.
        let nodes = try LiveNodes(pair, configuration: "max_invalid_login_attempts = 20\n")
        let peers = [nodes.first.peer, nodes.second.peer]
        let loads = try (0..<4).map { DeviceLoad(try nodes.first.device("user\($0)")) }
        _ = try nodes.first.device("leaver")
        // Their events wait for the next write.
        for load in loads { #expect(try load.logIn(at: peers[1])) }
        pair.standby.pause()
        let start = ContinuousClock.now
        _ = try onThreads(8) { number in
            if number < 4 {
                loads[number].guess(at: peers[number % 2])
            } else {
                try loads[number - 4].logIn(at: peers[0])
            }
        }
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(loads.allSatisfy { $0.notes.right == 1 && $0.notes.answered == 0 })
        #expect(nodes.first.hasFault("node", "confirmed no write"))
        try cancels(pair, nodes, loads[0])
        pair.standby.resume()
        #expect(becomes(seconds: 30) { (try? nodes.first.health().status) == 200 })
        for load in loads { #expect(try becomes(seconds: 40) { try load.logIn(at: peers[1]) }) }
        try check(loads, wrong(pair.primary), at: peers)
        // Nodes write events again if the commit was not confirmed.
        let same = "SELECT count(*) FROM audit WHERE event IN ('login', 'wrong-pin') GROUP BY time, event, user_id"
        #expect(try pair.primary.run("mpin", "SELECT max(count) FROM (\(same)) AS events") == "1")
        let exact = "attempt WHERE registration = registration.id AND attempt.wrong = 0"
        #expect(
            try pair.primary.run(
                "mpin", "SELECT count(*) FROM registration WHERE reserved <> (SELECT count(*) FROM \(exact))")
                == "0")
    }

    /// Cancels the wait of commits for the standby, which does not answer. They succeed then, with a warning.
    private func cancels(_ pair: PostgreSQLPair, _ nodes: LiveNodes, _ load: DeviceLoad) throws {
        let background = Background()
        background.start { isGoing in
            while isGoing() {
                try pair.primary.run(
                    "mpin", "SELECT pg_cancel_backend(pid) \(Self.sessions) AND wait_event = 'SyncRep'")
                usleep(20_000)
            }
        }
        let (right, answered) = (load.notes.right, load.notes.answered)
        for server in [nodes.first, nodes.second] {
            load.guess(at: server.peer)
            try load.logIn(at: server.peer)
        }
        #expect(load.notes.right == right && load.notes.answered == answered)
        let revoked = try nodes.first.command("user", "revoke", "leaver")
        #expect(revoked.code != 0 && revoked.output.contains("did not confirm"), "\(revoked)")
        try background.stop()
    }

    @Test func `connections that end at any moment lose and repeat nothing`() throws {
        let server = try PostgreSQLServer.shared.get()
        let first = try Fixture(configuration: Self.manyWrong, engine: .postgresql)
        let second = try Fixture(besides: first)
        let database = try #require(first.postgreSQL)
        let loads = try (0..<6).map { DeviceLoad(try first.device("user\($0)")) }
        let background = Background()
        for load in loads { background.start { try load.run(at: [first, second], while: $0) } }
        // In one session, for as long as the devices log in.
        let cutting = try server.session(
            database,
            """
            DO $$ BEGIN FOR turn IN 1..150 LOOP
                PERFORM pg_stat_clear_snapshot();
                PERFORM pg_terminate_backend(pid) FROM (
                    SELECT pid \(Self.sessions) AND datname = current_database()
                    ORDER BY state <> 'active', random() LIMIT 1) AS session;
                PERFORM pg_sleep(0.03);
            END LOOP; END $$
            """)
        cutting.waitUntilExit()
        #expect(cutting.terminationStatus == 0)
        try background.stop()
        // Attempts whose settlement was cut off count until they expire.
        first.clock.advance(31)
        for load in loads { #expect(try becomes(seconds: 10) { try load.logIn(at: first) }) }
        try check(loads, wrong(server, database), at: [first, second])
        let lines = try server.run(
            database, "SELECT user_id, count(*) FROM audit WHERE event = 'wrong-pin' GROUP BY user_id")
        let counts = try wrong(server, database)
        for load in loads {
            let line = lines.split(separator: "\n").first { $0.hasPrefix(load.user + "|") }
            let events = try #require(Int(line?.split(separator: "|").last ?? ""))
            #expect(try load.notes.answered <= events && events <= #require(counts[load.user]))
        }
        #expect(loads.contains { $0.notes.answered > 2 })
        print("right \(loads.map(\.notes.right)), wrong \(loads.map(\.notes.answered)) of \(loads.map(\.notes.asked))")
    }

    @Test func `a node that is killed at any moment leaves exact counts`() throws {
        let nodes = try LiveNodes(configuration: Self.manyWrong + "max_invalid_login_attempts = 20\n")
        let peers = [nodes.first.peer, nodes.second.peer]
        let loads = try (0..<4).map { DeviceLoad(try nodes.first.device("user\($0)")) }
        let background = Background()
        for load in loads { background.start { try load.run(at: peers, while: $0) } }
        for _ in 0..<6 {
            usleep(.random(in: 100_000...500_000))
            nodes.first.kill()
            let before = loads.map(\.notes.right)
            #expect(becomes(seconds: 20) { zip(loads, before).allSatisfy { $0.notes.right > $1 } })
            try nodes.first.start()
        }
        try background.stop()
        try check(loads, wrong(nodes.postgreSQL, nodes.database), at: peers)
        for load in loads { #expect(try load.logIn(at: peers[0])) }
    }

    @Test func `a wrong PIN that was being counted when PostgreSQL crashed is counted when it is back`() throws {
        let pair = try PostgreSQLPair()
        try pair.primary.run("postgres", "ALTER SYSTEM RESET synchronous_standby_names")
        try pair.primary.run("postgres", "SELECT pg_reload_conf()")
        let nodes = try LiveNodes(pair)
        let alice = DeviceLoad(try nodes.first.device("alice"))
        // An unlogged table is empty after a crash.
        try pair.primary.run(
            "mpin",
            """
            CREATE UNLOGGED TABLE slow AS SELECT 1; GRANT ALL ON slow TO public;
            CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN IF EXISTS (SELECT FROM slow) THEN PERFORM pg_sleep(60); END IF; RETURN NEW; END';
            CREATE TRIGGER late BEFORE UPDATE ON attempt FOR EACH ROW EXECUTE FUNCTION late()
            """)
        let background = Background()
        background.start { [peer = nodes.first.peer] _ in alice.guess(at: peer) }
        let waiting = "SELECT count(*) \(Self.sessions) AND wait_event = 'PgSleep'"
        #expect(becomes(seconds: 10) { (try? pair.primary.run("mpin", waiting)) == "1" })
        pair.primary.kill()
        try pair.primary.start()
        try background.stop()
        #expect(alice.notes.answered == 1)
        try check([alice], wrong(pair.primary), at: [nodes.second.peer])
    }

    @Test func `reservations of a node that was killed expire`() throws {
        let nodes = try LiveNodes()
        let alice = DeviceLoad(try nodes.first.device("alice"))
        func run(_ sql: String) throws -> String { try nodes.postgreSQL.run(nodes.database, sql) }
        func reserves(_ count: Int) -> Bool {
            becomes(seconds: 30) { (try? run("SELECT reserved FROM registration")) == "\(count)" }
        }
        // No attempt can be settled.
        _ = try run(
            """
            CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(60); RETURN NEW; END';
            CREATE TRIGGER late BEFORE UPDATE ON attempt FOR EACH ROW EXECUTE FUNCTION late()
            """)
        let background = Background()
        for _ in 0..<2 { background.start { [peer = nodes.first.peer] _ in alice.guess(at: peer) } }
        #expect(reserves(2))
        nodes.first.kill()
        try background.stop()
        _ = try run("SELECT pg_terminate_backend(pid) \(Self.sessions) AND datname = current_database()")
        _ = try run("DROP TRIGGER late ON attempt")
        // There is room for one more.
        #expect(becomes(seconds: 10) { (try? alice.logIn(at: nodes.second.peer)) == true })
        #expect(reserves(2))
        _ = try run(
            "INSERT INTO attempt (registration, id, time) SELECT registration, 7, max(time) FROM attempt GROUP BY 1")
        _ = try run("UPDATE registration SET reserved = 3")
        #expect(try !alice.logIn(at: nodes.second.peer))
        _ = try run("UPDATE attempt SET time = time - 31")
        #expect(try alice.logIn(at: nodes.second.peer))
        #expect(reserves(0))
        try check([alice], wrong(nodes.postgreSQL, nodes.database), at: [nodes.second.peer])
    }
}
