// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinWire
import TestPeers
import Testing

extension EndToEnd {
    /// With a server of the old kind, every failure has a hint, and the hint works.
    @Suite struct OldServerTests {
        @Test func `a recovery waits for the mail and ends the block`() throws {
            let machine = try OldMachine()
            machine.server.activates = false
            let script = try machine.enroll("register", "--pin-file", machine.pinFile("4962"))
            #expect(script.status == 80, "\(script.all)")
            #expect(script.errors.contains("has not verified alice yet"), "\(script.errors)")
            let first = try machine.follow(script.errors)
            first.answer("q to quit", "")
            first.answer("has not verified alice", "q")
            #expect(first.end() == 80)

            // The link is opened while the terminal waits, without input.
            let second = try machine.follow(first.screen)
            #expect(second.shows("q to quit"), "\(second.screen)")
            machine.server.isVerified = true
            second.choose("4962")
            #expect(second.end() == 0, "\(second.screen)")

            // The user is blocked, although the server reports no counts.
            for expected in [81, 81, 82] as [Int32] {
                let wrong = try machine.enroll("test", "--pin-file", machine.pinFile("4963"))
                #expect(wrong.status == expected, "\(wrong.all)")
            }
            let blocked = try machine.enroll("test")
            #expect(blocked.status == 82, "\(blocked.all)")
            machine.server.isVerified = false
            let recovery = try machine.follow(blocked.errors)
            recovery.answer("Old PIN (or Enter, to enroll again): ", "")
            recovery.answer("q to quit", "q")
            #expect(recovery.end() == 80)
            #expect(recovery.screen.contains("Continue: mpin-enroll recover"), "\(recovery.screen)")

            machine.server.isVerified = true
            let again = try machine.follow(recovery.screen)
            again.choose("7385")
            #expect(again.end() == 0, "\(again.screen)")
            #expect(try machine.enroll("test", "--pin-file", machine.pinFile("7385")).status == 0)
        }

        @Test func `a script recovers without a code and never sends the new PIN as the old one`() throws {
            let machine = try OldMachine.enrolled()
            for _ in 1...3 { _ = try machine.enroll("test", "--pin-file", machine.pinFile("4963")) }
            let needed = try machine.enroll("recover")
            #expect(needed.status == 66, "\(needed.all)")
            #expect(needed.errors.contains("--new-pin-file") && needed.errors.contains("--pin-file"))
            // While the block lasts, the old PIN is refused, and the message names the other ways.
            let old = try machine.enroll("recover", "--pin-file", machine.pinFile("4962"))
            #expect(old.status == 82, "\(old.all)")
            machine.peer.forget()
            let both = try machine.enroll(
                "recover", "--pin-file", machine.pinFile("4962"), "--new-pin-file", machine.pinFile("7385"))
            #expect(both.status == 64, "\(both.all)")
            #expect(machine.peer.requests.isEmpty)
            let new = try machine.enroll("recover", "--new-pin-file", machine.pinFile("7385"))
            #expect(new.status == 0, "\(new.all)")
            // The first request with a PIN belongs to the new registration.
            let requests = machine.peer.requests
            let begun = try #require(requests.firstIndex { $0.hasPrefix("PUT /rps/user") })
            let judged = try #require(requests.firstIndex { $0 == "POST /rps/pass2" })
            #expect(begun < judged)
            #expect(try machine.enroll("test", "--pin-file", machine.pinFile("7385")).status == 0)
        }

        @Test func `the new PIN is not sent for a block that our server lifts`() throws {
            let machine = try Machine.enrolled()
            try machine.block()
            // While the server blocks the user, no PIN is checked and nothing changes.
            #expect(try machine.enroll("recover", pin: "4962").status == 82)
            #expect(try machine.administer("user", "unblock", "alice").output.contains("mpin-enroll recover"))
            let run = try machine.enroll("recover", "--new-pin-file", machine.pinFile("7385"))
            #expect(run.status == 66, "\(run.all)")
            #expect(try machine.counted() == 0)
            // The old PIN, first wrong and then right, leaves no stale state.
            let wrong = try machine.enroll("recover", pin: "4963")
            #expect(
                wrong.status == 81 && wrong.errors.contains("has been lifted, but this PIN is wrong"), "\(wrong.all)")
            #expect(try machine.counted() == 1)
            // A PIN of another length is not sent, and the message does not mention the block.
            let long = try machine.enroll("recover", pin: "49621")
            #expect(long.status == 81 && !long.errors.contains("lifted"), "\(long.all)")
            #expect(long.errors.contains("has 4 digits. Nothing was sent"), "\(long.errors)")
            #expect(try machine.counted() == 1)
            #expect(try machine.enroll("recover", pin: "4962").status == 0)
            #expect(!(try machine.enroll("status").output.contains("tries")))
            #expect(try machine.pam("authenticate", typing: ["4962"]).status == 0)
        }

        @Test(arguments: [81: nil, 83: 410, 84: 409] as [Int32: Int?]) func `a failed login names the next step`(
            status: Int32, refusal: Int?
        ) throws {
            let machine = try OldMachine.enrolled()
            machine.server.refusal = refusal
            let run = try machine.enroll("test", "--pin-file", machine.pinFile(refusal == nil ? "4963" : "4962"))
            #expect(run.status == status, "\(run.all)")
            #expect(!run.errors.contains("mpin-enroll test"), "\(run.errors)")
            let recovery = try machine.follow(run.errors)
            recovery.choose("7385")
            #expect(recovery.end() == 0, "\(recovery.screen)")
            #expect(try machine.enroll("test", "--pin-file", machine.pinFile("7385")).status == 0)
        }

        @Test func `the request to the second authority is repeated`() throws {
            let machine = try OldMachine()
            machine.server.secondAuthorityFailures = 2
            let run = try machine.enroll("register", "--pin-file", machine.pinFile("4962"))
            #expect(run.status == 0, "\(run.all)")
            #expect(run.errors.contains("second authority"), "\(run.errors)")
            #expect(machine.peer.requests.filter { $0.hasPrefix("GET /rps/signature") }.count == 1)
            #expect(machine.peer.requests.filter { $0 == "GET /dta/clientSecret" }.count == 3)
        }

        @Test(.enabled(if: !isFast))
        func `if the second authority stays down, the registration starts from the beginning`() throws {
            let machine = try OldMachine()
            machine.server.extensions = [.secondAuthority]
            machine.server.secondAuthority = "https://127.0.0.1:1/dta"
            let run = try machine.enroll("register", "--pin-file", machine.pinFile("4962"))
            #expect(run.status == 69, "\(run.all)")
            let sentence = "The second authority of \(machine.peer.url) (https://127.0.0.1:1/dta) failed for a minute: "
            #expect(run.errors.contains(sentence), "\(run.errors)")
            #expect(run.errors.contains("register --start-over"), "\(run.errors)")
            machine.server.secondAuthority = "/dta"
            let terminal = try machine.follow(run.errors)
            terminal.choose("4962")
            #expect(terminal.end() == 0, "\(terminal.screen)")
        }

        /// The server has issued the first share and no longer knows the registration.
        private func cutShort() throws -> OldMachine {
            let machine = try OldMachine()
            // The share shows that the link was opened, before the PIN.
            (machine.server.activates, machine.server.isVerified) = (false, true)
            let terminal = try machine.terminal("register")
            terminal.interrupt(at: "4 to 6 digits: ")
            return machine
        }

        @Test func `a registration that the server no longer knows starts again at a terminal`() throws {
            let machine = try cutShort()
            let terminal = try machine.terminal("register")
            #expect(terminal.shows("cannot continue this enrollment of alice"), "\(terminal.screen)")
            terminal.answer("Start again? [Y/n] ", "n")
            #expect(terminal.end() == 80, "\(terminal.screen)")

            // The hint names this command.
            let anew = try machine.follow(terminal.screen)
            anew.choose("4962")
            #expect(anew.end() == 0, "\(anew.screen)")
        }

        @Test func `a registration that the server no longer knows starts again in a script`() throws {
            let machine = try cutShort()
            let pin = try machine.pinFile("4962")
            let run = try machine.enroll("register", "--pin-file", pin)
            #expect(run.status == 80, "\(run.all)")
            #expect(run.errors.contains("register --start-over"), "\(run.errors)")
            #expect(try machine.enroll("register", "--start-over", "--pin-file", pin).status == 0)
            #expect(try machine.enroll("test", "--pin-file", pin).status == 0)
        }

        /// A restart of the registration undoes its verification there, and a server with records in memory forgets it.
        @Test func `a code does not undo an opened link`() throws {
            let machine = try OldMachine()
            machine.server.activates = false
            let pin = try machine.pinFile("4962")
            #expect(try machine.enroll("register", "--pin-file", pin).status == 80)
            machine.server.isVerified = true
            machine.peer.forget()
            let run = try machine.enroll("register", "--pin-file", pin, "--application-code", "--code", "123456")
            #expect(run.status == 0 && run.errors.contains("The code was not used"), "\(run.all)")
            #expect(!machine.peer.requests.contains { $0.hasPrefix("PUT ") })
            #expect(machine.peer.requests.contains { $0.hasPrefix("GET /rps/signature/") })
        }

        @Test func `input while waiting for the link restarts nothing`() throws {
            let machine = try OldMachine()
            machine.server.activates = false
            let terminal = try machine.terminal("register")
            let prompt = "Waiting for alice (r to send another mail, q to quit): "
            #expect(terminal.shows(prompt), "\(terminal.screen)")
            machine.peer.forget()
            terminal.type("123456")
            #expect(terminal.shows("has not verified alice yet."), "\(terminal.screen)")
            #expect(!machine.peer.requests.contains { $0.hasPrefix("PUT ") })
            machine.server.isVerified = true
            terminal.choose("4962")
            #expect(terminal.end() == 0, "\(terminal.screen)")
        }

        /// The server cannot revoke a replaced registration, but its operator can.
        @Test func `a replaced registration is reported once`() throws {
            let machine = try OldMachine.enrolled()
            for _ in 1...3 { _ = try machine.enroll("test", "--pin-file", machine.pinFile("4963")) }
            let recovered = try machine.enroll("recover", "--json", "--new-pin-file", machine.pinFile("7385"))
            #expect(try recovered.status == 0 && recovered.json()["oldRevoked"] as? Bool == false, "\(recovered.all)")
            for _ in 1...3 { _ = try machine.enroll("test", "--pin-file", machine.pinFile("4963")) }
            let again = try machine.enroll("recover", "--new-pin-file", machine.pinFile("4962"))
            #expect(again.output.contains("cannot revoke the replaced enrollment"), "\(again.all)")
            #expect(again.output.contains("permit hook (RPAPermitUserURL)"), "\(again.output)")
            #expect(again.output.contains("issued before 2026-01-02 03:04:05.678901 UTC"), "\(again.output)")
            #expect(!again.output.contains("mpin-server"), "\(again.output)")
            for run in [
                try machine.enroll("test", "--pin-file", machine.pinFile("4962")), try machine.enroll("status"),
            ] {
                #expect(run.status == 0 && !run.output.contains("revoke"), "\(run.all)")
            }
        }

        @Test func `a login clears the wrong PIN of another process`() throws {
            let machine = try OldMachine.enrolled()
            let notes = machine.directory + "/store/attempts/" + machine.account
            let wrong = try machine.enroll("test", "--pin-file", machine.pinFile("4963"))
            #expect(wrong.status == 81, "\(wrong.all)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: notes).count == 1)
            #expect(try machine.enroll("test", "--pin-file", machine.pinFile("4962")).status == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: notes) == [])
        }

        @Test(arguments: ["hangs up", "500"]) func `a try that may have counted is reported`(end: String) throws {
            let machine = try OldMachine.enrolled()
            let server = machine.server
            let answer = end == "500" ? Answer.status(500) : .hangUp
            for (path, isTold) in [("/mpinAuthenticate", true), ("/rps/pass1", false)] {
                machine.peer.answer { $0.path == path ? answer : server.answer($0) }
                let run = try machine.enroll("test", "--pin-file", machine.pinFile("4962"))
                #expect(run.status == 69, "\(run.all)")
                #expect(run.errors.contains("This try may have been counted.") == isTold, "\(run.errors)")
            }
        }

        @Test(arguments: [
            (404, "Check that this is the address of an M-Pin server."),
            (403, "Check that this is the address of an M-Pin server."), (400, "Ask the administrator of unix:"),
        ]) func `a refused request names the next step`(status: Int, step: String) throws {
            let machine = try OldMachine()
            machine.peer.answer { _ in .status(status) }
            let run = try machine.enroll("register", "--pin-file", machine.pinFile("4962"))
            #expect(run.status == 76 && run.errors.contains("refused the request (HTTP \(status))."), "\(run.all)")
            #expect(run.errors.contains(step), "\(run.errors)")
        }

        @Test func `removing needs no PIN if nothing is revoked`() throws {
            let machine = try OldMachine.enrolled()
            machine.peer.forget()
            let run = try machine.enroll("remove", "--yes")
            #expect(run.status == 0, "\(run.all)")
            #expect(run.output.contains("was not notified"), "\(run.output)")
            #expect(machine.peer.requests.allSatisfy { $0 == "GET /rps/clientSettings" })
            let none = try machine.enroll("remove", "--yes")
            #expect(none.status == 67 && !none.errors.contains("register"), "\(none.errors)")
        }

        @Test func `a one-time password expires by this machine's clock`() throws {
            let machine = try OldMachine.enrolled()
            machine.server.passwordClock = 2 * 3600
            let run = try machine.enroll("otp", "--json", "--pin-file", machine.pinFile("4962"))
            #expect(run.status == 0, "\(run.all)")
            let text = try #require(try run.json()["expires"] as? String)
            let expires = try #require(ISO8601DateFormatter().date(from: text))
            #expect((50...61).contains(expires.timeIntervalSinceNow), "\(text)")
        }

        @Test func `a server without one-time passwords is reported`() throws {
            let machine = try OldMachine.enrolled()
            let run = try machine.enroll("otp", "--pin-file", machine.pinFile("4962"))
            #expect(run.status == 76, "\(run.all)")
            #expect(run.errors.contains("issues no one-time passwords"), "\(run.errors)")
        }
    }
}
