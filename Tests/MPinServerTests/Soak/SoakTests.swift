// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import Testing

/// The server under load, killed again and again.
@Suite struct SoakTests {
    private static var seconds: Double {
        let environment = ProcessInfo.processInfo.environment
        return environment["MPIN_SOAK_SECONDS"].flatMap { Double($0) } ?? (environment["MPIN_FAST"] == "yes" ? 5 : 20)
    }

    @Test func `no reported result is lost to kill -9, and nothing works twice`() throws {
        let server = try RunningServer(
            configuration: "failures_per_source = 1000000\nmax_invalid_login_attempts = \(SoakClient.limit)\n")
        let record = SoakRecord()
        let done = DispatchGroup()
        for number in 0..<6 {
            let client = try SoakClient("client\(number)", server: server, record: record)
            done.enter()
            // Threads of their own: they wait for sockets most of the time.
            Thread.detachNewThread {
                client.run()
                done.leave()
            }
        }
        let end = Date(timeIntervalSinceNow: Self.seconds)
        var isLast = false
        while !isLast {
            Thread.sleep(forTimeInterval: Double.random(in: 0.05...1.2))
            isLast = Date() > end
            record.willKill()
            server.kill()
            try server.start()
            record.hasStarted()
        }
        record.finish()
        #expect(done.wait(timeout: .now() + 240) == .success)
        print("note: soak: \(record.summary)")
        #expect(record.faults.isEmpty, "\(record.faults.joined(separator: "\n"))")
        for name in ["logins", "wrong PINs", "registered", "replays", "checks"] { #expect(record.number(name) > 0) }
        // The server that was just started may still be recovering what the killed one left.
        let database = try DatabaseQueue.waiting(server.directory + "/state/mpin.sqlite")
        #expect(try database.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
    }
}
