// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// A configuration or a socket that is closed to users, and the programs that run as their user.
    @Suite(.enabled(if: SpareMachine.isPossible)) struct ClosedConfigurationTests {
        @Test(
            arguments: [("/etc/mpin/mpin.conf", mode_t(0o600), "a+r"), ("/etc/mpin", 0o700, "a+x")])
        func `a configuration that lockers may not read is named`(path: String, mode: mode_t, change: String) throws {
            let spare = try DoctorTests.healthy()
            let command = "sudo chmod \(change) \(path)"
            try #require(chmod(spare.place(path), mode) == 0)
            let (run, checks) = try DoctorTests.examined(spare)
            let check = checks.first {
                ($0["message"] as? String)?.hasPrefix("Users other than root may not read /etc/mpin/mpin.conf.") == true
            }
            #expect(check?["grade"] as? String == "warning", "\(run.all)")
            #expect((check?["hint"] as? String)?.hasSuffix(": " + command) == true, "\(run.all)")
            // A locker has no PIN then.
            let locker = Launcher.nobody + [Products.enroll]
            #expect(try spare.run(locker + ["config", "check"]).status != 0)
            // The command that is named.
            try #require(try spare.run(["/bin/sh", "-c", command.replacing("sudo ", with: "")]).status == 0)
            #expect(try spare.run(locker + ["config", "check"]).status == 0)
            let (mended, rest) = try DoctorTests.examined(spare)
            #expect(!rest.contains { ($0["message"] as? String)?.contains("may not read") == true }, "\(mended.all)")
        }

        /// A server whose socket is for root and its group.
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
