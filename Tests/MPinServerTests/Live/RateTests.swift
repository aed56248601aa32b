// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// How many logins a core of the server does in a second. Runs only where MPIN_RATE gives the number of logins.
@Suite struct RateTests {
    @Test(.enabled(if: ProcessInfo.processInfo.environment["MPIN_RATE"] != nil))
    func `logins per second of processor time`() async throws {
        let total = Int(ProcessInfo.processInfo.environment["MPIN_RATE"] ?? "") ?? 1_000
        let server = try RunningServer()
        let users = try (0..<4).map { try server.enroll("user\($0)") }
        let peer = server.peer
        let permits = try users.map { try $0.permit(at: peer) }
        // The first logins make threads, caches and connections.
        for index in users.indices {
            #expect(try Login(users[index], permit: permits[index], at: peer).finish(at: peer).status == 200)
        }
        let before = try server.processorSeconds()
        let start = ContinuousClock.now
        let good = try await withThrowingTaskGroup(of: Int.self) { group in
            for index in users.indices {
                group.addTask {
                    try (0..<total / users.count).filter { _ in
                        let conversation = try Conversation(peer)
                        return try Login(users[index], permit: permits[index], at: conversation)
                            .finish(at: conversation).status == 200
                    }.count
                }
            }
            return try await group.reduce(0, +)
        }
        let spent = try server.processorSeconds() - before
        let elapsed = ContinuousClock.now - start
        #expect(good == total / users.count * users.count)
        print("\(good) logins, \(Int(Double(good) / spent)) per second of the server's processor time; wall \(elapsed)")
    }
}

extension RunningServer {
    /// User and system time of the server so far.
    func processorSeconds() throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(processIdentifier)/stat", encoding: .utf8)
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        // Fields 14 and 15 of proc_pid_stat(5), in ticks of a hundredth of a second.
        return (Double(fields[12]) ?? 0) / 100 + (Double(fields[13]) ?? 0) / 100
    }
}
