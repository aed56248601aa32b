// SPDX-License-Identifier: Apache-2.0
import CMPinSystem
import Foundation
import Testing

extension EndToEnd {
    /// mpin-enroll commands of users who may not read the store.
    @Suite(.enabled(if: PrivateSystem.isPossible)) struct AgentCommandTests {
        private let daemon = AgentMachine.daemon
        private let nobody = AgentMachine.nobody

        @Test func `each user works with their own registration, as with sudo`() throws {
            let system = try AgentMachine()
            let status = try system.enroll(as: daemon, "status")
            #expect(status.status == 0 && status.output.contains("identity  alice"), "\(status.all)")
            #expect(status.output.contains("Try it: mpin-enroll test"), "\(status.all)")
            #expect(try system.enroll(as: nobody, "status").output.contains("identity  bob"))
            // Without a command, an enrolled user sees the same.
            let plain = try system.enroll(as: daemon)
            #expect(plain.status == 0 && plain.output == status.output, "\(plain.all)")

            let wrong = try system.enroll(as: daemon, "test", "--json", pin: "4963")
            #expect(wrong.status == 81 && wrong.errorCode == "INCORRECT_PIN" && wrong.errors.isEmpty, "\(wrong.all)")
            #expect(try system.machine.counted() == 1)
            let right = try system.enroll(as: daemon, "test", pin: "4962")
            #expect(right.status == 0 && right.output.contains("accepted the PIN of alice"), "\(right.all)")
            #expect(right.output.contains("1 wrong PIN since your last login"), "\(right.all)")

            let otp = try system.enroll(as: daemon, "otp", pin: "4962")
            #expect(otp.status == 0 && otp.output.count == 7 && otp.errors.contains("Valid for"), "\(otp.all)")
            #expect(try system.enroll(as: daemon, "otp", "--json", pin: "4962").json()["otp"] is String)
        }

        @Test func `mpin-enroll prints the same through the agent as for root`() throws {
            let system = try AgentMachine()
            #expect(try system.enroll(as: daemon, "test", pin: "4963").status == 81)
            for arguments in [
                ["status"], ["status", "--check"], ["status", "--identity", "carol"], ["test"], ["server", "show"],
            ] {
                let own = try system.enroll(as: daemon, arguments + ["--json"])
                var call = try system.enrollment(as: daemon, arguments + ["--json"])
                // Runs the command as root with the user's environment, like sudo.
                call.removeAll { daemon.launcher.contains($0) }
                let root = try Run(call, environment: ["SUDO_USER": "daemon"])
                #expect(own.status == root.status, "\(own.all) \(root.all)")
                // Hints name the agent's configuration file, and sudo only if it is needed.
                func hint(_ text: String) -> String {
                    text.replacingOccurrences(of: "sudo ", with: "")
                        .replacingOccurrences(of: " --config " + system.machine.directory + "/agent.conf", with: "")
                }
                #expect(hint(own.output) == hint(root.output))
            }
        }

        @Test func `a terminal prompts for the PIN without echo`() throws {
            let system = try AgentMachine()
            let terminal = try system.terminal(as: daemon, "test")
            terminal.answer("PIN for alice: ", "4962")
            #expect(terminal.shows("The server accepted the PIN of alice."), "\(terminal.screen)")
            #expect(terminal.end() == 0 && !terminal.screen.contains("4962"), "\(terminal.screen)")

            let canceled = try system.terminal(as: daemon, "test")
            #expect(canceled.shows("PIN for alice: "))
            canceled.control("c")
            #expect(canceled.end() == 130 && canceled.screen.contains("No try was used"), "\(canceled.screen)")
            #expect(try system.machine.counted() == 0)
        }

        @Test func `the server's key is shown without sudo, and changed only with it`() throws {
            let system = try AgentMachine()
            let key = try system.machine.fingerprint()
            let show = try system.enroll(as: daemon, "server", "show")
            #expect(show.status == 0 && show.output.contains("serverkey \(key)\n"), "\(show.all)")
            #expect(show.output.contains("identity  alice") && !show.output.contains("bob"), "\(show.all)")
            let object = try system.enroll(as: nobody, "server", "show", "--json").json()
            #expect((object["servers"] as? [[String: Any]])?.first?["hasKey"] as? Bool == true, "\(object)")
            // Root contacts no server for a user who has nothing there.
            let bin = AgentMachine.Account(name: "bin", uid: 2, identity: "bin", pin: "")
            let unknown = try system.enroll(as: bin, "server", "show")
            #expect(unknown.status == 67 && unknown.all.contains("bin is not enrolled"), "\(unknown.all)")
            #expect(!unknown.all.contains(key) && unknown.all.contains(": mpin-enroll register"), "\(unknown.all)")
            for change in [["set", "unix:" + system.machine.socket], ["trust", key, "--yes"]] {
                let refused = try system.enroll(as: daemon, ["server"] + change + ["--json"])
                #expect(refused.status == 77 && refused.all.contains("sudo mpin-enroll server"), "\(refused.all)")
            }
        }

        @Test func `the PIN is changed`() throws {
            let system = try AgentMachine()
            let terminal = try system.terminal(as: daemon, "change-pin")
            terminal.answer("Old PIN for alice: ", "4962")
            terminal.answer("New PIN for alice on ", "1234")
            #expect(terminal.shows("Choose another one."), "\(terminal.screen)")
            terminal.answer("New PIN for alice on ", "7381")
            terminal.answer("Retype the new PIN: ", "7381")
            #expect(terminal.shows("alice has a new PIN") && terminal.end() == 0, "\(terminal.screen)")
            #expect(try system.enroll(as: daemon, "test", pin: "7381").status == 0)

            // With files, a weak PIN is refused before anything is sent.
            try system.publish("1234\n", "/weak")
            try system.publish("5926\n", "/new")
            let weak = try system.enroll(
                as: daemon, "change-pin", "--new-pin-file", system.machine.directory + "/weak", pin: "9999")
            #expect(weak.status == 65 && weak.errors.contains("Choose another PIN"), "\(weak.all)")
            #expect(try system.machine.counted() == 0)
            let needed = try system.enroll(as: daemon, "change-pin", "--json", pin: "7381")
            #expect(needed.status == 66 && needed.errorCode == "INPUT_NEEDED", "\(needed.all)")
            let changed = try system.enroll(
                as: daemon, "change-pin", "--json", "--new-pin-file", system.machine.directory + "/new", pin: "7381")
            #expect(changed.status == 0, "\(changed.all)")
            #expect(try system.enroll(as: daemon, "test", pin: "5926").status == 0)
        }

        @Test func `a waiting session is approved, signed out or rejected`() throws {
            let system = try AgentMachine()
            let browser = try WaitingBrowser(at: system.machine)
            let run = try browser.during {
                try system.enroll(as: daemon, "approve", browser.number, "--json", pin: "4962")
            }
            #expect(run.status == 0 && run.errors.contains("Requested by: an unverified client"), "\(run.all)")
            #expect(browser.identity() == "alice")

            let out = try system.enroll(as: daemon, "logout", pin: "4962")
            #expect(out.status == 0 && out.output == "One session is signed out.\n", "\(out.all)")
            #expect(browser.identity() == nil)
            let denied = try WaitingBrowser(at: system.machine)
            #expect(try system.enroll(as: daemon, "deny", denied.number, "--json").json()["denied"] as? Bool == true)
            #expect(try system.enroll(as: daemon, "approve", denied.number, pin: "4962").status == 65)

            let second = try WaitingBrowser(at: system.machine)
            second.wait()
            let terminal = try system.terminal(as: daemon, "approve", second.number, "--then-log-out")
            terminal.answer("PIN for alice: ", "4962")
            #expect(terminal.shows("Press Enter to sign that session out."), "\(terminal.screen)")
            second.waitUntilDone()
            #expect(second.identity() == "alice")
            terminal.type("")
            #expect(terminal.shows("The session is signed out again.") && terminal.end() == 0, "\(terminal.screen)")
            #expect(second.identity() == nil)
            #expect(try system.enroll(as: daemon, "approve", "--json", "1", pin: "4962").status == 65)
        }

        @Test func `without the agent the hint names sudo, and other accounts need root`() throws {
            let system = try AgentMachine()
            let other = try system.enroll(as: daemon, "status", "--user", "nobody")
            #expect(
                other.status == 77 && other.errors.contains("Only root may work on another account"), "\(other.all)")
            // The agent does not serve commands that override this machine's configuration.
            for option in [["--store", system.machine.store], ["--timeout", "7"]] {
                let run = try system.enroll(as: daemon, ["status"] + option + ["--json"])
                #expect(run.status == 77 && run.output.contains("This user may not read"), "\(run.all)")
            }
            system.kill()
            let absent = try system.enroll(as: daemon, "status")
            #expect(absent.status == 77, "\(absent.all)")
            #expect(absent.errors.contains("Use sudo: sudo mpin-enroll status"), "\(absent.all)")
        }

        @Test func `no message reaches another user's account or an unlisted action`() throws {
            let system = try AgentMachine()
            let browser = try WaitingBrowser(at: system.machine)
            let asked = try system.python(
                as: daemon.launcher,
                AgentMachine.actions + """
                    said = [ask(1, "nobody"), ask(3, "nobody", purpose="test"), ask(1, "root"), ask(1, ""), ask(0, "daemon"),
                        ask(6, "daemon"), ask(2, "daemon"), ask(2, "daemon", purpose="logout"), ask(3, "daemon"),
                        ask(3, "daemon", purpose="deny"), ask(3, "daemon", purpose="later"), ask(4, "nobody"),
                        ask(5, "nobody", purpose="register"), ask(5, "daemon"), ask(5, "daemon", purpose="test"),
                        ask(3, "daemon", purpose="test", argument="1"), ask(3, "daemon", purpose="invite", argument="59"),
                        ask(3, "daemon", purpose="invite", argument="+60"), ask(3, "daemon", purpose="invite", argument="060"),
                        ask(3, "daemon", purpose="backup-codes"), ask(3, "daemon", purpose="backup-codes", argument="21"),
                        ask(3, "daemon", purpose="devices revoke", argument="phone"), ask(4, "daemon", purpose="test"),
                        ask(3, "daemon", purpose="devices revoke", argument="99999999999999999999"),
                        ask(1, "daemon", purpose="keys", argument="unix:/tmp/s"), ask(1, "daemon", zero=1),
                        ask(1, "daemon", tail=b"x"), ask(1, "daemon", tail=b"x\\0"), ask(1, "daemon", identity=b"\\xff"),
                        ask(2, "nobody", purpose="deny", argument="\(browser.number)")]
                    print("%d %s" % (len([s for s in said if s]), len(ask(1, "daemon")) > 0), flush=True)
                    """)
            #expect(asked.line == "0 True")
            _ = asked.end()
            #expect(try browser.poll()["denied"] as? Bool != true)
            // A name that looks like options is a name.
            let named = try system.enroll(as: daemon, "devices", "revoke", "--json", "1 --yes --yes", pin: "4962")
            #expect(named.status == 65 && named.errorCode == "NO_SUCH_DEVICE", "\(named.all)")
            // An identity that looks like an option is an identity.
            let run = try system.enroll(as: daemon, "status", "--identity=--store=/tmp")
            #expect(run.status == 0 && run.output.contains("is not enrolled as --store=/tmp"), "\(run.all)")
            #expect(try system.enroll(as: daemon, "approve", "--", "--json", pin: nil).status == 65)
        }

        @Test func `no PIN is accepted in a remote session`() throws {
            let system = try AgentMachine(takesPIN: false)
            for command in ["test", "otp", "change-pin"] {
                let run = try system.enroll(as: daemon, command, "--json", pin: "4962")
                #expect(run.status == 77 && run.errorCode == "NOT_PERMITTED", "\(run.all)")
                #expect(run.output.contains("takes no PIN: it belongs to no login session."), "\(run.all)")
            }
            #expect(try system.enroll(as: daemon, "approve", "123456", pin: "4962").status == 77)
            #expect(try system.enroll(as: daemon, "status").status == 0)
            for command in [
                ["logout"], ["invite"], ["devices"], ["devices", "revoke", "1"], ["backup-codes", "--yes"],
            ] {
                let run = try system.enroll(as: daemon, command + ["--json"], pin: "4962")
                #expect(
                    run.status == 77 && run.output.contains("takes no PIN: it belongs to no login session."),
                    "\(run.all)")
            }
            // Rejecting a session needs no PIN.
            let browser = try WaitingBrowser(at: system.machine)
            let denied = try system.enroll(as: daemon, "deny", browser.number)
            #expect(denied.status == 0 && denied.output.contains("The sign-in request is rejected."), "\(denied.all)")
            // If the method for remote sessions is the PIN, it is accepted.
            let other = try AgentMachine(takesPIN: true)
            #expect(try other.enroll(as: daemon, "test", pin: "4962").status == 0)
        }

        @Test func `the last try is confirmed`() throws {
            let system = try AgentMachine()
            for _ in 1...2 { #expect(try system.enroll(as: daemon, "test", pin: "4963").status == 81) }
            let kept = try system.terminal(as: daemon, "test")
            kept.answer("(1 try left): ", "4963")
            kept.answer("Retype the PIN (press Enter to cancel): ", "4962")
            #expect(kept.end() == 65 && kept.screen.contains("Neither was checked"), "\(kept.screen)")
            #expect(try system.machine.counted() == 2)
            let terminal = try system.terminal(as: daemon, "otp")
            for prompt in ["(1 try left): ", "Retype the PIN (press Enter to cancel): "] {
                terminal.answer(prompt, "4962")
            }
            #expect(terminal.end() == 0 && terminal.screen.contains("Valid for 60 seconds."), "\(terminal.screen)")
            #expect(try system.machine.counted() == 0)
        }

        @Test func `an agent that is killed in a command leaves the store whole`() throws {
            let system = try AgentMachine()
            try system.publish("7381\n", "/new")
            for command in ["test", "change-pin"] {
                system.machine.pause()
                let more = command == "test" ? [] : ["--new-pin-file", system.machine.directory + "/new"]
                try system.publish("4962\n", "/pin")
                let enroll = try Background(
                    system.enrollment(
                        as: daemon, [command, "--json", "--pin-file", system.machine.directory + "/pin"] + more))
                #expect(system.waitForWorker())
                system.kill()
                let run = Run(status: enroll.status(), output: enroll.end())
                #expect(run.status == 75 && run.errorCode == "AGENT_ERROR", "\(run.all)")
                system.machine.resume()
                try system.start()
                #expect(try system.enroll(as: daemon, "test", pin: "4962").status == 0)
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: system.machine.store + "/users")
            #expect(!names.contains { $0.contains(".bad") }, "\(names)")
        }

    }
}
