// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Actions of the administrator, and their effect on the device afterwards.
    @Suite struct AdministratorTests {
        private func show(_ machine: Machine) throws -> String {
            try machine.administer("user", "show", "alice").output
        }

        @Test func `an unfinished enrollment is not a device`() throws {
            let machine = try Machine()
            let begun = try Terminal(Products.enroll, machine.call("register", "--code", machine.invitation()))
            try #require(begun.shows("4 to 6 digits: "), "\(begun.screen)")
            #expect(try show(machine).contains(", never logged in"))
            #expect(try machine.administer("user", "list").output == "ACTIVATED\talice\t0\n")
            begun.type("4962")
            begun.answer("Retype the ", "4962")
            #expect(begun.end() == 0, "\(begun.screen)")
            #expect(try show(machine).contains(": REGISTERED, registered "))
            #expect(try machine.administer("user", "list").output == "REGISTERED\talice\t1\n")
        }

        @Test func `registrations discarded on the way are revoked`() throws {
            let machine = try Machine.enrolled()
            try machine.block()
            try machine.quitAtPIN("recover", "--code", machine.invitation())
            let run = try machine.enroll("recover", "--code", machine.invitation(), "--start-over", pin: "7385")
            #expect(run.status == 0 && !run.output.contains("has not revoked"), "\(run.all)")
            let devices = try #require(
                machine.administer("user", "show", "alice", "--json").json()["devices"] as? [[String: Any]])
            #expect(devices.compactMap { $0["state"] as? String }.sorted() == ["REGISTERED", "REVOKED", "REVOKED"])
            #expect(try machine.administer("user", "list").output == "REGISTERED\talice\t1\n")
        }

        @Test func `revoked devices are not unblocked`() throws {
            let machine = try Machine.enrolled()
            try machine.block()
            let revoked = try machine.administer("user", "revoke", "alice", "--reason", "laptop lost")
            #expect(
                revoked.output.hasPrefix("alice: 1 device revoked\nThe user is suspended."), "\(revoked.output)")
            // The first refusal names the reason, also for a blocked user.
            let lift = try machine.enroll("recover", pin: "4962")
            #expect(lift.status == 83 && lift.errors.contains("alice. Reason: laptop lost"), "\(lift.all)")
            let restored = try machine.administer("user", "restore", "alice").output
            #expect(
                restored.hasPrefix("alice: 1 device restored\nBlocked after wrong PINs: 1."), "\(restored)")
            #expect(
                restored.contains("mpin-server user unblock alice --dir \(machine.directory)/server"), "\(restored)")
            _ = try machine.administer("user", "revoke", "alice")
            let unblocked = try machine.administer("user", "unblock", "alice")
            #expect(unblocked.status == 67, "\(unblocked.all)")
            #expect(
                unblocked.errors.contains("no device of alice is blocked (1 revoked; 'unblock' cannot restore them)"),
                "\(unblocked.all)")
        }

        @Test func `a restored device notices the restoration by itself`() throws {
            let machine = try Machine.enrolled()
            try #require(try machine.administer("user", "revoke", "alice", "--reason", "laptop lost").status == 0)
            let first = try machine.enroll("test", pin: "4962")
            #expect(first.status == 83 && first.errors.contains("alice. Reason: laptop lost"), "\(first.all)")
            #expect(try machine.pam("acct_mgmt").status != 0)
            try #require(try machine.administer("user", "restore", "alice").status == 0)
            let status = try machine.enroll("status")
            #expect(status.output.contains("reason    laptop lost"), "\(status.output)")
            #expect(status.output.contains("state     revoked at the last login (20"), "\(status.output)")
            #expect(status.output.contains("still refuses it: mpin-enroll test "), "\(status.output)")
            let doctor = try machine.enroll("doctor")
            #expect(doctor.output.contains("was revoked at the last login at 20"), "\(doctor.output)")
            #expect(!doctor.output.contains("has revoked"), "\(doctor.output)")
            #expect(try machine.enroll("status", "--json").json()["lastContact"] as? String != nil)
            #expect(try machine.enroll("test", pin: "4962").status == 0)
            #expect(try machine.enroll("status").output.contains("state     enrolled\n"))
            #expect(try machine.pam("acct_mgmt").status == 0)
        }

        @Test func `hints work as printed`() throws {
            let machine = try Machine.enrolled()
            let unknown = try machine.administer("user", "show", "bob")
            #expect(unknown.status == 67, "\(unknown.all)")
            let line = try #require(unknown.errors.split(separator: "\n").last { $0.hasPrefix("Run: ") })
            let followed = try Run("/bin/sh", ["-c", "exec \(Products.directory)/\(line.dropFirst("Run: ".count))"])
            #expect(followed.status == 0 && followed.output.contains("alice"), "\(line): \(followed.all)")
            // For an unknown identity, the message names the enrolled ones and the list command.
            for command in ["status", "test"] {
                let run = try machine.enroll(command, identity: "nobody")
                #expect(run.status == (command == "status" ? 0 : 67), "\(run.all)")
                #expect(run.all.contains("\(machine.account) is not enrolled as nobody."), "\(run.all)")
                #expect(run.all.contains("Enrolled: alice at unix:\(machine.socket)"), "\(run.all)")
                let hint = try #require(run.all.range(of: "mpin-enroll list"))
                let list = try Run(
                    "/bin/sh", ["-c", "exec \(Products.directory)/\(run.all[hint.lowerBound...])"])
                #expect(list.status == 0 && list.output.contains("alice"), "\(list.all)")
            }
        }

        @Test(.enabled(if: isRoot)) func `a user without the rights gets the command with sudo`() throws {
            let machine = try Machine()
            let directory = machine.directory + "/server"
            let server = try Run(Launcher.nobody + [Products.server, "user", "list", "--dir", directory])
            #expect(server.status == 77 && server.errors.contains("belongs to the account 'root'"), "\(server.all)")
            #expect(server.errors.contains("Run: sudo mpin-server user list --dir \(directory)\n"), "\(server.errors)")
            let enroll = try Run(Launcher.nobody + [Products.enroll, "status", "--user", "root"])
            #expect(enroll.status == 77, "\(enroll.all)")
            #expect(enroll.errors.contains("Use sudo: sudo mpin-enroll status --user root\n"), "\(enroll.errors)")
        }

        @Test(.enabled(if: isRoot)) func `no hint leads to a server that runs as root`() throws {
            let machine = try Machine(isServing: false)
            let directory = machine.directory + "/server"
            let serve = Launcher.nobody + [Products.server, "serve", "--dir", directory, "--listen", "127.0.0.1:0"]
            let run = try Run(serve)
            #expect(run.status == 77 && run.errors.contains("belongs to the account 'root'"), "\(run.all)")
            #expect(!run.errors.contains("sudo mpin-server serve"), "\(run.all)")
            // The command in the hint works.
            #expect(run.errors.contains("\nsudo chown -R nobody: \(directory)\n"), "\(run.all)")
            try #require(try Run("/bin/chown", ["-R", "nobody:", directory]).status == 0)
            try Background(serve).requireLine("ready on")
        }

        @Test func `a server without mail promises no mail`() throws {
            let machine = try Machine(configuration: "hold_unverified = yes\n")
            let terminal = try Terminal(Products.enroll, machine.call("register"))
            terminal.answer("Invitation or backup code for alice", "")
            #expect(terminal.shows("The server sends no mail."), "\(terminal.screen)")
            terminal.interrupt(at: "Code for alice (q to quit): ")
            #expect(
                terminal.screen.contains("Check the current state: mpin-enroll status --user"), "\(terminal.screen)")
        }
    }
}
