// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Many logins of the same people at once, through the program's socket, from clients of both kinds.
@Suite struct OverlapTests {
    @Test func `honest logins that overlap all succeed over the socket, and charge no user`() async throws {
        // A pass 1 is good for 15 seconds: a machine too busy to answer in that time says nothing about the server.
        let clock = ContinuousClock()
        for count in [30, 30, 10, 4, 2, 2] {
            let start = clock.now
            let isRight = try await overlap(count)
            if isRight { return }
            try #require(clock.now - start > .seconds(10), "an honest login was refused or charged")
        }
        Issue.record("the machine is too busy for this test")
    }

    /// Whether all of many logins succeeded and none was counted: so many at once of each of three kinds, and a few more.
    private func overlap(_ count: Int) async throws -> Bool {
        let server = try RunningServer()
        let peer = server.peer
        // Clients that name no pass 1 have only so many open at once; those of ten people have four each.
        let users = try ["alice", "bob"].map { try server.enroll($0) }
        let old = try (0..<10).map { try server.enroll("old-\($0)") }
        let permits = try (users + old).map { try $0.permit(at: peer) }
        // All have a challenge before the first answers.
        let logins = try (0..<count).map { try Login(users[$0 % 2], permit: permits[$0 % 2], at: peer) }
        let oldLogins = try (0..<count + 10).map { try Login(old[$0 % 10], permit: permits[2 + $0 % 10], at: peer) }
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for (index, login) in logins.enumerated().shuffled() {
                group.addTask { try login.finish(at: peer).status }
                group.addTask {
                    try Login(users[index % 2], permit: permits[index % 2], at: peer).finish(at: peer).status
                }
            }
            for login in oldLogins.shuffled() { group.addTask { try login.finish(at: peer, named: false).status } }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.count == 3 * count + 10)
        let counts = try (users + old).flatMap { user in
            let devices = try server.command("user", "show", user.user).object["devices"] as? [[String: Any]] ?? []
            return devices.compactMap { $0["failures"] as? Int }
        }
        // At most 30 of one identity are open at once, fewer than a source may have.
        return statuses.allSatisfy { $0 == 200 } && counts.count == 12 && counts.allSatisfy { $0 == 0 }
    }
}
