// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// A server whose socket is for root and its group.
    @Suite(.enabled(if: isRoot)) struct ClosedSocketTests {
        @Test func `a user who may not connect learns that, not that the server is gone`() throws {
            let system = try AgentMachine()
            #expect(chmod(system.machine.socket, 0o660) == 0)
            let run = try system.enroll(as: AgentMachine.daemon, "doctor", "--json")
            let checks = try #require(
                try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any], "\(run.all)")
            #expect("\(checks)".contains("This user may not connect to unix:\(system.machine.socket)"), "\(run.all)")
            #expect(!run.output.contains("cannot be reached"), "\(run.all)")
            // The agent is root's.
            let test = try system.enroll(as: AgentMachine.daemon, "test", pin: "4962")
            #expect(test.status == 0, "\(test.all)")
        }
    }
}
