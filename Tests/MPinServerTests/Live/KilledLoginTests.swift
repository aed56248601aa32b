// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import Testing

/// A server that is killed while it verifies logins with the right PIN.
@Suite(.serialized) struct KilledLoginTests {
    private static let rounds = ProcessInfo.processInfo.environment["MPIN_FAST"] == "yes" ? 20 : 200

    @Test func `a kill between any two statements counts no wrong PIN`() throws {
        let server = try RunningServer(configuration: "max_invalid_login_attempts = 1\n")
        let devices = try (0..<4).map { try server.device("user\($0)") }
        for device in devices { #expect(try device.login(at: server.peer).status == 200) }
        var (cut, reserved) = (0, 0)
        for _ in 0..<Self.rounds {
            let requests = try devices.map { try DirectRequest($0) }
            let (peer, statuses) = (server.peer, DispatchGroup())
            for request in requests {
                statuses.enter()
                Thread.detachNewThread {
                    let status = (try? request.send(at: peer).status) ?? 0
                    // Nothing, if the server was killed before it accepted the connection.
                    #expect([0, 200].contains(status))
                    statuses.leave()
                }
            }
            usleep(.random(in: 0...12_000))
            cut += statuses.wait(timeout: .now()) == .timedOut ? 1 : 0
            server.kill()
            statuses.wait()
            let database = try DatabaseQueue.waiting(server.directory + "/state/mpin.sqlite")
            let row = try database.read { database in
                try Row.fetchOne(
                    database,
                    sql: """
                        SELECT sum(wrong + failures + recent) AS wrong, sum(reserved) AS reserved, (
                            SELECT count(*) FROM attempt
                        ) AS attempts FROM registration
                        """)
            }
            try database.close()
            #expect(row?["wrong"] == 0 && row?["reserved"] == row?["attempts"] as Int?)
            reserved += row?["reserved"] ?? 0
            try server.start()
        }
        print("note: \(cut) of \(Self.rounds) kills cut logins off, \(reserved) after the reservation")
        #expect(cut > 0 && reserved > 0)
        for device in devices {
            let answer = try device.login(at: server.peer)
            #expect(answer.status == 200 && answer.object["wrongSinceLastLogin"] as? Int == 0)
        }
    }
}
