// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Logins of processes that may not read the store, as screen lockers are, through the agent.
    @Suite(.enabled(if: isRoot)) struct AgentTests {
        private let daemon = AgentMachine.daemon
        private let nobody = AgentMachine.nobody

        @Test func `the agent asks for the PIN and says yes or no`() throws {
            let system = try AgentMachine()
            #expect(try system.codes(as: daemon, pins: "4963") == ["PAM_AUTH_ERR"])
            #expect(try system.machine.counted() == 1)
            #expect(try system.codes(as: daemon, pins: "4962") == ["PAM_SUCCESS"])
            #expect(try system.machine.counted() == 0)
            #expect(try system.codes(as: nobody, pins: nobody.pin) == ["PAM_SUCCESS"])

            let handle = try system.probe("handle", as: daemon, pins: ["4963"])
            #expect(handle.lines.contains { $0.hasPrefix("asked: PIN for daemon on ") }, "\(handle.all)")
            #expect(handle.lines.contains("told: Wrong PIN, 2 tries left."), "\(handle.all)")
        }

        @Test func `without an agent no change is visible`() throws {
            let system = try AgentMachine(startsAgent: false)
            #expect(try system.codes(as: daemon, pins: "4962") == ["PAM_AUTHINFO_UNAVAIL"])
            try system.start()
            #expect(try system.codes(as: daemon, pins: "4962") == ["PAM_SUCCESS"])
            try system.offer("agent=none")
            #expect(try system.codes(as: daemon, pins: "4962") == ["PAM_AUTHINFO_UNAVAIL"])
            try system.offer("agent=\(system.socket) use_first_pass")
            #expect(try system.codes(as: daemon, pins: "4962") == ["PAM_AUTHINFO_UNAVAIL"])
            try system.offer("agent=\(system.socket)")
            system.kill()
            #expect(try system.codes(as: daemon, pins: "4962") == ["PAM_AUTHINFO_UNAVAIL"])
            // The file of the socket is still there, and no hindrance.
            try system.start()
            #expect(try system.codes(as: daemon, pins: "4962") == ["PAM_SUCCESS"])
        }

        @Test func `the last try has to be confirmed, also from one login to the next`() throws {
            let system = try AgentMachine()
            #expect(try system.codes(as: daemon, pins: "4963", "4963", "4962").last == "PAM_SUCCESS")
            #expect(try system.machine.counted() == 0)
            #expect(
                try system.codes(as: daemon, pins: "4963", "4963", "4963")
                    == ["PAM_AUTH_ERR", "PAM_AUTH_ERR", "PAM_MAXTRIES"])
            let blocked = try system.probe("handle", as: daemon, pins: ["4962"])
            #expect(blocked.lines.contains("PAM_MAXTRIES"), "\(blocked.all)")
            #expect(blocked.output.contains("sudo mpin-enroll recover"), "\(blocked.all)")
            #expect(!blocked.output.contains("asked:"), "\(blocked.all)")
        }

        @Test func `one handle does not spend the last try through the agent`() throws {
            let system = try AgentMachine()
            let run = try system.probe("handle", as: daemon, pins: ["4963"])
            let codes = run.lines.filter { $0.hasPrefix("PAM_") }
            #expect(codes == ["PAM_AUTH_ERR", "PAM_AUTH_ERR", "PAM_MAXTRIES"], "\(run.all)")
            #expect(try system.machine.counted() == 2)
        }

        @Test func `an account without an enrollment gets a message, or is passed over`() throws {
            let system = try AgentMachine()
            let bin = AgentMachine.Account(name: "bin", uid: 2, identity: "", pin: "4962")
            #expect(try system.codes(as: bin, pins: "4962") == ["PAM_USER_UNKNOWN"])
            try system.offer("agent=\(system.socket) ignore_unenrolled")
            let run = try system.probe("handle", as: bin, pins: ["4962"])
            #expect(!run.output.contains("asked:") && !run.output.contains("told:"), "\(run.all)")
        }

        @Test func `no user logs in to the account of another`() throws {
            let system = try AgentMachine()
            for account in [nobody, AgentMachine.Account(name: "root", uid: 0, identity: "", pin: "")] {
                let run = try system.probe("handle", as: daemon, for: account, pins: [nobody.pin])
                #expect(run.lines.allSatisfy { $0 == "PAM_AUTH_ERR" } && run.lines.count == 3, "\(run.all)")
            }
            #expect(try system.machine.counted(nobody.identity) == 0)
        }

        @Test func `a caller in no login session counts as remote`() throws {
            let system = try AgentMachine(takesPIN: false)
            let run = try system.probe("handle", as: daemon, pins: ["4962"])
            #expect(run.lines.contains("PAM_PERM_DENIED") && !run.output.contains("asked:"), "\(run.all)")
            // The options of the stack do not count.
            try system.offer("agent=\(system.socket) local_services=mpin")
            #expect(try system.codes(as: daemon, pins: "4962") == ["PAM_PERM_DENIED"])
        }

        @Test func `an absent server opens nothing`() throws {
            let system = try AgentMachine()
            system.machine.kill()
            #expect(try system.codes(as: daemon, pins: "4962") == ["PAM_AUTH_ERR"])
            try system.machine.start()
            #expect(try system.codes(as: daemon, pins: "4962") == ["PAM_SUCCESS"])
        }
    }
}
