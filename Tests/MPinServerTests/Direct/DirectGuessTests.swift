// SPDX-License-Identifier: Apache-2.0
import MPinServer
import MPinServerStorage
import Testing

/// An attacker who has the device, or a copy of all its data, and guesses the PIN.
@Suite struct DirectGuessTests {
    @Test(arguments: [1, 3])
    func `1000 wrong guesses at once are judged exactly as often as the limit says`(limit: Int) throws {
        let (fixture, alice) = try Fixture.withDevice(configuration: "max_invalid_login_attempts = \(limit)\n")
        let guesses = try onThreads(4) { part in
            try (0..<250).map { try DirectRequest(alice, pin: String(2_000 + 250 * part + $0)) }
        }.flatMap(\.self)
        let statuses = try onThreads(1_000) { try guesses[$0].send(at: fixture).status }
        #expect(statuses.filter { $0 == 401 }.count == limit - 1)
        #expect(statuses.allSatisfy { ([401, 410, 503] + Fixture.tooMany).contains($0) } && statuses.contains(410))
        let audit = try fixture.auditText().split(separator: "\n")
        #expect(audit.filter { $0.hasPrefix("wrong-pin ") }.count == limit - 1)
        #expect(audit.filter { $0.hasPrefix("block ") }.count == 1)
        #expect(try fixture.shown().wrongSinceLastLogin == limit)
        #expect(try fixture.commitments() == limit)
    }

    @Test func `64 wrong guesses at once are judged exactly as often as the limit says, every time`() throws {
        let (fixture, alice) = try Fixture.withDevice()
        for round in 1...20 {
            let guesses = try (0..<64).map { try DirectRequest(alice, pin: String(2_000 + $0)) }
            let statuses = try onThreads(64) { try guesses[$0].send(at: fixture).status }
            #expect(statuses.filter { $0 == 401 }.count == 2, "\(statuses)")
            #expect(statuses.allSatisfy { ([401, 410, 503] + Fixture.tooMany).contains($0) } && statuses.contains(410))
            #expect(try fixture.shown().wrongSinceLastLogin == 3 * round && fixture.columns() == [0, 3])
            #expect(try fixture.administrator.unblock("alice") == 1)
        }
    }

    @Test func `among right ones no more wrong ones are judged, and no right one is refused for fewer`() throws {
        for round in 0..<12 {
            let (fixture, alice) = try Fixture.withDevice()
            // Few wrong ones or many: most rounds end blocked, some do not.
            let wrong = 1 + round
            let pins = (Array(repeating: "9999", count: wrong) + Array(repeating: "1234", count: 24)).shuffled()
            let requests = try pins.map { try DirectRequest(alice, pin: $0) }
            let answers = try onThreads(requests.count) { try requests[$0].sendUntilJudged(at: fixture) }
            let right = zip(pins, answers).filter { $0.0 == "1234" }.map(\.1)
            #expect(right.allSatisfy { [200, 410].contains($0.status) })
            for answer in right where answer.status == 200 {
                #expect(answer.object["wrongSinceLastLogin"] as? Int ?? 9 <= 2)
            }
            let device = try fixture.shown()
            #expect(device.failures <= 3)
            if right.contains(where: { $0.status == 410 }) { #expect(device.state == .blocked && device.failures == 3) }
            let judged = try fixture.auditText().split(separator: "\n").filter {
                $0.hasPrefix("wrong-pin ") || $0.hasPrefix("block ")
            }
            #expect(judged.count <= wrong && (device.state == .blocked || judged.count == wrong))
        }
    }

    @Test(.onSQLite, arguments: [1, 3]) func `logins of one device at once all succeed, and none has to be sent again`(
        limit: Int
    )
        throws
    {
        let (fixture, alice) = try Fixture.withDevice(configuration: "max_invalid_login_attempts = \(limit)\n")
        let requests = try (0..<64).map { _ in try DirectRequest(alice) }
        let statuses = try onThreads(64) { try requests[$0].send(at: fixture).status }
        #expect(statuses.allSatisfy { $0 == 200 }, "\(statuses)")
        #expect(try fixture.shown().failures == 0 && fixture.columns() == [0, 0])
    }
}
