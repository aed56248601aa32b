// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

/// An attacker with a stolen token and no limit of speed.
@Suite struct GuessingTests {
    /// With PostgreSQL, only a few requests wait for another attempt of the same device.
    private static let refusals = [401, 410, 500] + Fixture.tooMany + (Fixture.engine == .postgresql ? [503] : [])

    /// Sources enough that the limit of one source has no part in the result.
    private static func source(_ number: Int) -> RequestSource {
        number % 2 == 0 ? .user(UInt32(2_000 + number / 8)) : .address("192.0.2.\(number / 8 % 250)")
    }

    @Test(arguments: [1, 3])
    func `1000 wrong guesses at once are judged no oftener than the limit`(limit: Int) async throws {
        let (fixture, alice) = try Fixture.enrolled(configuration: "max_invalid_login_attempts = \(limit)\n")
        let permit = try alice.permit(at: fixture)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for guess in 0..<1_000 {
                group.addTask {
                    let peer = fixture.from(Self.source(guess))
                    // Half of them do not say which pass 1 they answer.
                    return try Login(alice, pin: String(2_000 + guess), permit: permit, at: peer)
                        .finish(at: peer, named: guess % 4 < 2).status
                }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.count == 1_000)
        #expect(statuses.filter { $0 == 401 }.count == limit - 1)
        #expect(statuses.filter { $0 == 410 }.count > 0)
        #expect(statuses.allSatisfy { Self.refusals.contains($0) })
        let audit = try fixture.auditText().split(separator: "\n")
        #expect(audit.filter { $0.hasPrefix("wrong-pin ") }.count == limit - 1)
        #expect(audit.filter { $0.hasPrefix("block ") }.count == 1)
        #expect(try fixture.administrator.user("alice").devices[0].failures == limit)
    }

    @Test(arguments: [true, false])
    func `challenges collected beforehand allow no more guesses`(named: Bool) throws {
        let (fixture, alice) = try Fixture.enrolled()
        let permit = try alice.permit(at: fixture)
        let guesses = try (0..<120).map { guess in
            let peer = fixture.from(Self.source(guess))
            return (peer: peer, login: try Login(alice, pin: String(3_000 + guess), permit: permit, at: peer))
        }
        let statuses = try onThreads(guesses.count) {
            try guesses[$0].login.finish(at: guesses[$0].peer, named: named).status
        }
        #expect(statuses.filter { $0 == 401 }.count == 2)
        #expect(statuses.allSatisfy { Self.refusals.contains($0) })
        #expect(try fixture.administrator.user("alice").devices[0].failures == 3)
    }

    @Test func `guesses at one identity neither charge nor delay another`() async throws {
        let (fixture, alice) = try Fixture.enrolled()
        let bob = try fixture.enroll("bob")
        let permits = try [alice, bob].map { try $0.permit(at: fixture) }
        let good = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<120 {
                group.addTask {
                    let peer = fixture.from(Self.source(number))
                    guard number % 3 == 0 else {
                        _ = try Login(alice, pin: "99\(number % 90 + 10)", permit: permits[0], at: peer).finish(
                            at: peer)
                        return true
                    }
                    return try Login(bob, permit: permits[1], at: peer).finish(at: peer, named: number % 2 == 0)
                        .status == 200
                }
            }
            return try await group.reduce(true) { $0 && $1 }
        }
        #expect(good)
        #expect(try fixture.administrator.user("bob").devices[0].failures == 0)
    }
}
