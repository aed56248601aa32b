// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Users who may not use sudo enroll and recover, with a code.
    @Suite(.enabled(if: PrivateSystem.isPossible)) struct AgentEnrollmentTests {
        private let bin = AgentMachine.Account(name: "bin", uid: 2, identity: "bin", pin: "7351")
        private let daemon = AgentMachine.daemon

        private func codeFile(_ system: AgentMachine, _ code: String) throws -> [String] {
            try system.publish(code + "\n", "/code")
            return ["--code-file", system.machine.directory + "/code"]
        }

        private func run(
            _ system: AgentMachine, _ command: String, _ options: [String], pin: String = "7351",
            as user: AgentMachine.Account? = nil
        ) throws -> Run {
            let file = command == "register" ? "--pin-file" : "--new-pin-file"
            return try Run(system.enrollment(as: user ?? bin, [command, file, "-"] + options), input: pin)
        }

        @Test func `a user enrolls and recovers with an administrator's code`() throws {
            let system = try AgentMachine()
            let first = try codeFile(system, system.machine.invitation(for: "bin"))
            let enrolled = try run(system, "register", first + ["--device", "laptop"])
            #expect(enrolled.status == 0 && enrolled.output.contains("bin is enrolled at unix:"), "\(enrolled.all)")
            #expect(enrolled.output.contains("proven by the code of the enrollment"), "\(enrolled.all)")
            let status = try system.enroll(as: bin, "status")
            #expect(status.output.contains("device    laptop") && status.output.contains("enrolled"), "\(status.all)")
            #expect(try system.enroll(as: bin, "test", pin: "7351").status == 0)

            // It recovers only, and a code works once.
            let again = try run(system, "register", first)
            #expect(again.status == 79 && again.errors.contains("bin is already enrolled"), "\(again.all)")
            let used = try run(system, "recover", first)
            #expect(used.status == 77 && used.errors.contains("did not accept this code for 'bin'"), "\(used.all)")
            let second = try codeFile(system, system.machine.invitation(for: "bin"))
            let recovered = try run(system, "recover", second + ["--json"], pin: "5926")
            #expect(recovered.status == 0, "\(recovered.all)")
            let object = try recovered.json()
            #expect(object["oldRevoked"] as? Bool == true && object["device"] as? String == "laptop", "\(object)")
            #expect(try system.enroll(as: bin, "test", pin: "5926").status == 0)
            #expect(try system.enroll(as: bin, "test", pin: "7351").status == 81)
        }

        @Test func `a blocked user recovers with a backup code, at the terminal`() throws {
            let system = try AgentMachine()
            let made = try system.enroll(as: daemon, "backup-codes", "--yes", "--count", "2", pin: "4962")
            let code = try #require(made.output.split(separator: "\n").first.map(String.init))
            for _ in 1...3 { _ = try system.enroll(as: daemon, "test", pin: "4963") }
            let blocked = try system.enroll(as: daemon, "test", pin: "4962")
            #expect(
                blocked.status == 82 && blocked.errors.contains("with a code: mpin-enroll recover"), "\(blocked.all)")
            // The agent takes no old PIN.
            #expect(
                blocked.errors.contains(
                    "with the old PIN, after the administrator has unblocked it: sudo mpin-enroll recover"),
                "\(blocked.all)")
            let terminal = try system.terminal(as: daemon, "recover")
            terminal.answer("Invitation or backup code for alice (press Enter to cancel): ", "0000-0000-0000-0000")
            terminal.answer("New PIN for alice on ", "1234")
            #expect(terminal.shows("Choose another one."))
            for _ in 1...2 { terminal.type("7381") }
            // The PIN is not asked for again.
            terminal.answer("did not accept this code", code)
            #expect(terminal.shows("alice is recovered") && terminal.end() == 0, "\(terminal.screen)")
            #expect(try system.enroll(as: daemon, "test", pin: "7381").status == 0)
        }

        /// A device that was verified in another way can make a code, too.
        @Test func `a server that also enrolls without codes is not enough`() throws {
            let system = try AgentMachine()
            try system.machine.write("hold_unverified = yes\n", to: "/server/server.conf")
            try system.machine.restart()
            let code = try system.machine.invitation(for: "bin")
            for (command, user) in [("register", bin), ("recover", daemon)] {
                let own = try codeFile(system, command == "register" ? code : system.machine.invitation())
                let refused = try run(system, command, own, as: user)
                #expect(
                    refused.status == 77 && refused.errors.contains("also enrolls devices without a code"),
                    "\(refused.all)")
            }
            #expect(try system.enroll(as: daemon, "test", pin: "4962").status == 0)
            // Its code was not used up.
            try system.machine.write("", to: "/server/server.conf")
            try system.machine.restart()
            #expect(try run(system, "register", codeFile(system, code)).status == 0)
        }

        @Test func `wrong numbers take up the places of their user, and of no other`() throws {
            let system = try AgentMachine()
            let unknown = "https://login.example.org/#" + String(repeating: "0", count: 32)
            for _ in 1...4 { #expect(try system.enroll(as: daemon, "deny", unknown).status == 65) }
            let fifth = try system.enroll(as: daemon, "deny", unknown)
            #expect(fifth.status == 75 && fifth.errors.contains("at once"), "\(fifth.all)")
            let code = try codeFile(system, system.machine.invitation(for: "bin"))
            #expect(try run(system, "register", code).status == 0)
        }

        /// A program of the user may have agreed on the code with an attacker on the way, who has a certificate.
        @Test func `over the network, only the fingerprint in mpin conf proves the server`() throws {
            let system = try AgentMachine(), other = try Machine()
            let machine = system.machine
            let server = try SelfSigned(machine)
            let settings = "server = \(server.url)\nstore = \(machine.store)\nmethod = pin\ntimeout = 60\n"
            let code = try codeFile(system, machine.invitation(for: "bin"))
            let fingerprint = try machine.fingerprint()
            for more in ["", "tls_pin = sha256//\(String(repeating: "A", count: 43))=\n"] {
                try system.publish(settings + more, "/agent.conf")
                let refused = try run(system, "register", code)
                #expect(refused.status == 77 && refused.errors.contains("no server_key"), "\(refused.all)")
            }
            try system.publish(settings + "server_key = \(String(repeating: "3f", count: 32))\n", "/agent.conf")
            let wrong = try run(system, "register", code)
            #expect(wrong.status == 69 && wrong.errors.contains("has another key"), "\(wrong.all)")
            // A server of the user, who knows its code, at the same address.
            try system.publish(settings + "server_key = \(fingerprint)\n", "/agent.conf")
            machine.kill()
            _ = try SelfSigned(other, port: server.port)
            let own = try run(system, "register", codeFile(system, other.invitation(for: "bin")))
            #expect(own.status == 69 && own.errors.contains("has another key"), "\(own.all)")
            other.kill()
            try machine.start()
            let enrolled = try run(system, "register", codeFile(system, machine.invitation(for: "bin")))
            #expect(enrolled.status == 0, "\(enrolled.all)")
            #expect(try system.enroll(as: bin, "test", pin: "7351").status == 0)
        }

        @Test func `without root, an enrollment keeps its key, whatever code its owner brings`() throws {
            let system = try AgentMachine()
            try system.machine.setUpAnew()
            let refused = try run(system, "recover", codeFile(system, system.machine.invitation()), as: daemon)
            #expect(refused.status == 69 && refused.errors.contains("has another key"), "\(refused.all)")
        }

        @Test(.enabled(if: Launcher.canTrace)) func `an interrupted recovery keeps its token`() throws {
            let system = try AgentMachine()
            let machine = system.machine
            var code = ""
            for n in 1...6 {
                code = try machine.invitation(for: "alice")
                let recover =
                    machine.call("recover", "--code", code, "--no-input", account: "daemon")
                    + ["--pin-file", try machine.pinFile("7385")]
                try #require(try KilledRun.isKilled(at: n, of: "renameat", recover))
                let staged = try? String(contentsOfFile: machine.store + "/staging/daemon.json", encoding: .utf8)
                if staged?.contains("\"token\"") == true { break }
            }
            // The code is used up, and is not needed: the new enrollment only has to log in.
            let recovered = try run(system, "recover", codeFile(system, code), pin: "7385", as: daemon)
            #expect(recovered.status == 0, "\(recovered.all)")
            #expect(try system.enroll(as: daemon, "test", pin: "7385").status == 0)
        }

        @Test func `less than a code of 16 symbols enrolls no user`() throws {
            let system = try AgentMachine()
            for code in ["123456", "open-sesame"] {
                let refused = try run(system, "register", codeFile(system, code) + ["--json"])
                #expect(refused.status == 65 && refused.errorCode == "BAD_INPUT", "\(refused.all)")
            }
            let none = try run(system, "register", ["--json"])
            #expect(none.status == 66 && none.output.contains("Without sudo, a code is needed"), "\(none.all)")
            // Another identity's code.
            let others = try run(system, "register", codeFile(system, system.machine.invitation(for: "carol")))
            #expect(
                others.status == 77 && others.errors.contains("did not accept this code for 'bin'"), "\(others.all)")
            let named = try run(
                system, "register", codeFile(system, system.machine.invitation(for: "carol")) + ["--identity", "carol"])
            #expect(
                named.status == 77 && named.errors.contains("Without sudo, the identity of bin is bin."), "\(named.all)"
            )
            #expect(try system.enroll(as: bin, "status", "--check").status == 67)
        }

        @Test func `the server is the one of mpin conf, and further demands need root`() throws {
            let system = try AgentMachine()
            let code = try codeFile(system, system.machine.invitation(for: "bin"))
            for options in [["--server", "unix:" + system.machine.socket], ["--tpm"]] {
                let refused = try run(system, "register", code + options)
                #expect(refused.status == 77 && refused.errors.contains("Use sudo"), "\(refused.all)")
            }
            #expect(try run(system, "register", code).status == 0)
        }
    }
}
