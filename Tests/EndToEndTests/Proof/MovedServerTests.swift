// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// `server set`: a server that has moved keeps its registrations, and no other server gets them.
    @Suite struct MovedServerTests {
        private static func file(_ address: String) -> String {
            """
            # The file of the site.
            timeout = 9

            [server]
              server = \(address)\t # at home
            # server = unix:/nowhere

            """
        }

        @Test func `a server at another socket`() throws {
            let machine = try Machine.enrolled()
            let old = "unix:" + machine.socket
            try machine.write(Self.file(old), to: "/mpin.conf")
            chmod(machine.directory + "/mpin.conf", 0o640)
            #expect(try machine.configuredLogin("4962").status == 0)
            try machine.move(to: "/t.sock")
            let new = "unix:" + machine.socket
            #expect(try machine.configured("test", pin: "4962").status == 69)
            let run = try machine.server("set", new)
            #expect(run.status == 0, "\(run.all)")
            #expect(run.output.contains("\(machine.account) (alice) has moved from \(old) to \(new).\n"), "\(run.all)")
            #expect(run.output.contains("/mpin.conf now names \(new).\n"), "\(run.all)")
            #expect(try machine.configuration == Self.file(new))
            var facts = stat()
            #expect(stat(machine.directory + "/mpin.conf", &facts) == 0 && facts.st_mode & 0o7777 == 0o640)
            #expect(try machine.configured("test", pin: "4962").status == 0)
            let login = try machine.configuredLogin("4962")
            #expect(login.all.contains(PAMText.success), "\(login.all)")
            let again = try machine.server("set", new, "--json")
            #expect(again.status == 0, "\(again.all)")
            #expect(try again.json()["file"] == nil)
            #expect(try machine.configuration == Self.file(new))
        }

        @Test func `a server behind TLS`() throws {
            let machine = try Machine.enrolled()
            let peer = try TLSTests.Peer(machine, name: "good")
            let file = { (address: String) in "server = \(address)\nca_file = \(peer.certificate)\ntimeout = 60\n" }
            try machine.write(file("\"unix:\(machine.socket)\""), to: "/mpin.conf")
            let run = try machine.server("set", peer.url + "/")
            #expect(run.status == 0, "\(run.all)")
            #expect(try machine.configuration == file(peer.url))
            let login = try machine.configuredLogin("4962")
            #expect(login.all.contains(PAMText.success), "\(login.all)")
            // And back. The file names another server meanwhile, and keeps it.
            try machine.write(file("https://elsewhere.example"), to: "/mpin.conf")
            #expect(try machine.server("set", "unix:" + machine.socket).status == 0)
            #expect(try machine.configuration == file("https://elsewhere.example"))
            #expect(try machine.enroll("test", pin: "4962").status == 0)
        }

        @Test func `another server, and one that proves nothing, get no registration`() throws {
            let machine = try Machine.enrolled()
            try machine.write(Self.file("unix:" + machine.socket), to: "/mpin.conf")
            let before = (try machine.recordText, try machine.configuration)
            let other = try Machine()
            let run = try machine.server("set", "unix:" + other.socket, "--json")
            #expect(run.status == 69 && run.errorCode == "OTHER_SERVER_KEY", "\(run.all)")
            // The key of the other server may be an attacker's, so it is not shown.
            #expect(
                try run.output.contains(machine.fingerprint()) && !run.all.contains(other.fingerprint()), "\(run.all)")
            // It shows the right key in its settings, and cannot sign.
            let middle = try ManInTheMiddle(machine)
            let trust = ["--ca-file", middle.certificate, "--timeout", "60"]
            let settings = try UnixSettings.members(machine.socket)
            try middle.plan("elsewhere", ["socket": other.socket])
            #expect(try Run(Products.enroll, machine.ofAllAccounts(["set", middle.url]) + trust).status == 69)
            try middle.plan("body", ["path": "/mpinHello", "change": "flip -20"])
            let unproven = try Run(Products.enroll, machine.ofAllAccounts(["set", middle.url]) + trust)
            #expect(unproven.status == 69 && unproven.errors.contains("did not sign its answer"), "\(unproven.all)")
            try middle.plan(
                "answer", ["path": "/mpinHello", "status": 200, "body": ["serverKey": settings["serverKey"]]])
            #expect(try Run(Products.enroll, machine.ofAllAccounts(["set", middle.url]) + trust).status == 69)
            try middle.plan("answer", ["path": "/mpinHello", "status": 404, "body": [String: Any]()])
            let silent = try Run(Products.enroll, machine.ofAllAccounts(["set", middle.url]) + trust)
            #expect(silent.status == 69 && silent.errors.contains("did not sign its answer"), "\(silent.all)")
            // It proves its key, but no login would trust its certificate.
            try middle.plan("pass")
            let untrusted = try Run(Products.enroll, machine.ofAllAccounts(["set", middle.url]))
            #expect(untrusted.status == 69 && untrusted.errors.contains("Neither a trusted CA"), "\(untrusted.all)")
            #expect(try machine.recordText == before.0)
            #expect(try machine.configuration == before.1)
            try middle.plan("pass")
            let moved = try Run(Products.enroll, machine.ofAllAccounts(["set", middle.url]) + trust)
            #expect(moved.status == 0, "\(moved.all)")
            #expect(try machine.enroll("test", at: middle, pin: "4962").status == 0)
        }

        @Test func `only the registrations with the server's key move`() throws {
            let machine = try Machine.enrolled(), other = try Machine()
            let code = try other.invitation(for: "bob")
            let foreign = try machine.enroll("register", "--code", code, at: other, pin: "7385", identity: "bob")
            try #require(foreign.status == 0, "\(foreign.all)")
            try machine.move(to: "/t.sock")
            let run = try machine.server("set", "unix:" + machine.socket, "--json")
            #expect(run.status == 0, "\(run.all)")
            let moved = try #require(run.json()["moved"] as? [[String: Any]])
            #expect(moved.compactMap { $0["identity"] as? String } == ["alice"])
            let list = try Run(Products.enroll, ["list", "--store", machine.store]).output
            #expect(list.contains("\tbob\tREGISTERED\tunix:\(other.socket)\tinvitation\t"), "\(list)")
            #expect(list.contains("\talice\tREGISTERED\tunix:\(machine.socket)\tinvitation\t"), "\(list)")
        }

        @Test func `a move that stops halfway does not say that nothing was changed`() throws {
            let machine = try Machine.enrolled()
            try machine.write(Self.file("unix:" + machine.socket), to: "/mpin.conf")
            try machine.move(to: "/t.sock")
            let new = "unix:" + machine.socket
            let busy = try Run(
                Launcher.locking(machine.store + "/users/\(machine.account).enrolling") + [Products.enroll]
                    + machine.ofAllAccounts(["set", new]))
            #expect(busy.status == 75 && busy.errors.contains("Another mpin-enroll is changing"), "\(busy.all)")
            let left = "Not all enrollments were moved. \(machine.directory)/mpin.conf already names \(new).\n"
            #expect(busy.errors.contains(left) && !busy.errors.contains("Nothing was changed"), "\(busy.all)")
            #expect(try machine.configuration == Self.file(new))
            #expect(busy.errors.contains("Then run it again: ") && busy.errors.contains("server set \(new)"))
            #expect(try machine.server("set", new).status == 0)
            #expect(try machine.configured("test", pin: "4962").status == 0)
        }

        @Test func `a registration without a key stays, and the hint helps`() throws {
            let machine = try Machine()
            let relay = try CountingRelay(machine, hidesKeys: true)
            let former = try machine.enroll(
                "register", "--old-server", "--application-code", "--code",
                OldServerView.code(machine.invitation(for: "bob")), at: relay, pin: "7385",
                identity: "bob")
            try #require(former.status == 0, "\(former.all)")
            #expect(try machine.enroll("status", at: relay, identity: "bob").output.contains("serverkey none\n"))
            let none = try machine.server("set", "unix:" + machine.socket)
            #expect(none.status == 67 && none.errors.contains("belongs to a server key"), "\(none.all)")
            relay.show()
            let registered = try machine.enroll("register", "--code", machine.invitation(), at: relay, pin: "4962")
            try #require(registered.status == 0, "\(registered.all)")
            let run = try machine.server("set", "unix:" + machine.socket)
            #expect(run.status == 0 && run.output.contains("(bob) stays at \(relay.url)"), "\(run.all)")
            #expect(run.output.contains("(alice) has moved from \(relay.url)"), "\(run.all)")
            let hint = try #require(run.output.firstMatch(of: #/(mpin-enroll register .*)/#)?.output.1)
            let code = try machine.invitation(for: "bob")
            let anew = try Run(
                "/bin/sh", ["-c", "exec \(Products.directory)/\(hint) --code \(code) --pin-file -"], input: "7385")
            #expect(anew.status == 0, "\(anew.all)")
            #expect(try machine.enroll("test", pin: "7385", identity: "bob").status == 0)
        }

        /// A machine whose own account has an enrollment without a key, and another account one with a key. The
        /// configuration names their server.
        private func mixed() throws -> Machine {
            let machine = try Machine.enrolled(hasKey: false)
            try machine.register(pin: "7385", identity: "bob", account: "daemon")
            try machine.write(Self.file("unix:" + machine.socket), to: "/mpin.conf")
            return machine
        }

        @Test func `the configured address stays as long as logins need it`() throws {
            let machine = try mixed()
            let relay = try CountingRelay(machine)
            let (old, before) = ("unix:" + machine.socket, try machine.recordText)
            let run = try machine.server("set", relay.url)
            #expect(run.status == 78 && run.errors.contains("(alice): this enrollment belongs to no key"), "\(run.all)")
            #expect(try machine.server("set", relay.url, "--json").errorCode == "LEFT_BEHIND")
            #expect(try machine.configuration == Self.file(old))
            #expect(try machine.recordText == before)
            #expect(
                try Run(Products.enroll, ["list", "--store", machine.store]).output.contains(
                    "\tbob\tREGISTERED\t\(old)"))
            #expect(
                run.errors.contains("Enroll \(machine.account) at the new address: mpin-enroll register"), "\(run.all)")
            let again = try machine.server("set", relay.url, "--leave-behind")
            #expect(again.status == 0, "\(again.all)")
            #expect(try machine.configuration == Self.file(relay.url))
        }

        @Test func `an administrator can leave enrollments behind`() throws {
            let machine = try mixed()
            let relay = try CountingRelay(machine)
            let run = try machine.server("set", relay.url, "--leave-behind")
            #expect(run.status == 0 && run.output.contains("(alice) stays at unix:\(machine.socket)"), "\(run.all)")
            #expect(run.output.contains("daemon (bob) has moved from"), "\(run.all)")
            #expect(try machine.configuration == Self.file(relay.url))
        }

        @Test func `a noted revocation counts at the former address, too`() throws {
            let machine = try mixed()
            let relay = try CountingRelay(machine)
            #expect(try machine.configuredLogin("4962").status == 0)
            let account = { () throws -> String in try machine.pam("acct_mgmt", service: "configured").all }
            #expect(try account().contains("account management done"))
            try #require(machine.administer("user", "revoke", "alice").status == 0)
            #expect(try machine.configuredLogin("4962").status != 0)
            #expect(try account().contains("User account has expired"))
            // A revoked enrollment does not keep the address.
            let run = try machine.server("set", relay.url)
            #expect(run.status == 0 && run.output.contains("(alice) stays at unix:\(machine.socket)"), "\(run.all)")
            #expect(try account().contains("User account has expired"))
        }

        @Test func `wrong use is refused before anything is asked`() throws {
            let machine = try Machine()
            for address in ["http://localhost", "local host", "unix:"] {
                #expect(try machine.server("set", address).status == 64, "\(address)")
            }
            #expect(try machine.server("set", "unix:/run/s", "--user", machine.account).status == 64)
            #expect(try machine.server("set", "unix:/run/s", "--server", "unix:/run/t").status == 64)
            let none = try machine.server("set", "unix:" + machine.socket)
            #expect(none.status == 67, "\(none.all)")
        }
    }
}
