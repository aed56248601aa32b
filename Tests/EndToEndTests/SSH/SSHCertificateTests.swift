// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// `mpin-enroll ssh`, which gets a certificate for the PIN.
    @Suite(.enabled(if: PrivateSystem.isPossible)) struct SSHCertificateTests {
        @Test func `the PIN gets a certificate that ssh-keygen reads, and nothing is asked until it expires`() throws {
            let laptop = try SSHLaptop()
            let terminal = try laptop.terminal()
            terminal.answer("PIN for alice on ", "4962")
            #expect(terminal.end() == 0, "\(terminal.screen)")
            #expect(
                terminal.screen.contains(#/alice may log in as alice, until [0-2][0-9]:[0-5][0-9] \(8 hours\)\./#),
                "\(terminal.screen)")
            #expect(terminal.screen.contains("mpin-enroll ssh setup HOST"), "\(terminal.screen)")
            #expect(!terminal.screen.contains("4962"))
            let described = try SSHLaptop.keygen("-L", "-f", laptop.certificate)
            #expect(described.contains("Type: ssh-ed25519-cert-v01@openssh.com user certificate"), "\(described)")
            #expect(described.contains("Principals: \n                alice\n"), "\(described)")
            let key = try SSHLaptop.keygen("-l", "-f", laptop.key).split(separator: " ")[1]
            #expect(described.contains("Public key: ED25519-CERT \(key)"), "\(described)")
            #expect(laptop.mode(laptop.key) == 0o600 && laptop.mode(laptop.certificate) == 0o600)
            #expect(laptop.mode(laptop.files) == 0o700)
            #expect(try FileManager.default.contentsOfDirectory(atPath: laptop.files).count == 3)

            let needless = try laptop.run("--if-needed")
            #expect(needless.status == 0 && needless.all.isEmpty, "\(needless.all)")
            let object = try laptop.run("--if-needed", "--json").json()
            #expect(object["renewed"] as? Bool == false && object["accounts"] as? [String] == ["alice"], "\(object)")
            // Without the option, there is a new certificate for the same key.
            let before = laptop.text(laptop.certificate)
            let renewed = try laptop.run("--json", pin: "4962")
            #expect(try renewed.json()["renewed"] as? Bool == true, "\(renewed.all)")
            #expect(laptop.text(laptop.certificate) != before)
            #expect(try SSHLaptop.keygen("-l", "-f", laptop.key).contains(key))
        }

        @Test func `a wrong PIN counts, and leaves the old certificate`() throws {
            let laptop = try SSHLaptop()
            #expect(try laptop.run(pin: "4962").status == 0)
            let before = laptop.text(laptop.certificate)
            let run = try laptop.run("--json", pin: "4963")
            #expect(run.status == 81 && run.errorCode == "INCORRECT_PIN", "\(run.all)")
            #expect(before != nil && laptop.text(laptop.certificate) == before)
            #expect(try laptop.machine.counted() == 1)
        }

        @Test(arguments: [nil, false] as [Bool?])
        func `a user without a grant, and a server without a CA`(_ isGranted: Bool?) throws {
            let laptop = try SSHLaptop(isGranted: isGranted)
            let run = try laptop.run(pin: "4962")
            #expect(run.status == 77, "\(run.all)")
            #expect(
                run.errors.contains("The server does not let alice log in over ssh.\nAsk your administrator. ")
                    && run.errors.contains("sudo mpin-server ssh list"), "\(run.all)")
            #expect(laptop.text(laptop.certificate) == nil)
            #expect(try laptop.machine.counted() == 0)
        }

        @Test func `a right PIN that gets no certificate is no try`() throws {
            let laptop = try SSHLaptop()
            #expect(try laptop.run(pin: "4963").status == 81)
            #expect(try laptop.machine.administer("ssh", "deny", "alice").status == 0)
            for _ in 0..<3 {
                let terminal = try laptop.terminal()
                terminal.answer("PIN for alice on ", "4962")
                #expect(terminal.end() == 77 && !terminal.screen.contains("last try"), "\(terminal.screen)")
                #expect(try laptop.machine.counted() == 0)
            }
            // Nothing stays noted, for other commands either.
            let attempts = try FileManager.default.subpathsOfDirectory(atPath: laptop.machine.store + "/attempts")
            #expect(attempts == [laptop.machine.account])
            #expect(try laptop.machine.enroll("test", pin: "4963").status == 81)
            let login = try laptop.machine.pam("authenticate", typing: ["4962"])
            #expect(login.all.contains(PAMText.success) && !login.all.contains("last try"), "\(login.all)")
        }

        @Test func `an administrator takes the grant away, and the next certificate is refused`() throws {
            let laptop = try SSHLaptop()
            #expect(try laptop.run(pin: "4962").status == 0)
            #expect(try laptop.machine.administer("ssh", "deny", "alice").status == 0)
            #expect(try laptop.run("--if-needed").status == 0)
            #expect(try laptop.run(pin: "4962").status == 77)
            try laptop.allow()
            #expect(try laptop.run(pin: "4962").status == 0)
            #expect(try laptop.machine.administer("user", "revoke", "alice", "--device", "1").status == 0)
            #expect(try laptop.run(pin: "4962").status == 83)
        }

        @Test func `a server that issues none is named before the PIN is asked for`() throws {
            let old = try OldMachine()
            try old.register()
            let home = old.directory + "/home"
            try #require(mkdir(home, 0o700) == 0)
            let terminal = try Terminal(
                Launcher.covering([("/root", home), ("/run/user", home)]) + [Products.enroll, "ssh"] + old.options)
            #expect(terminal.first(of: "The server issues no ssh certificates.", "PIN for")?.hasPrefix("The") == true)
            #expect(terminal.end(seconds: 10) == 76 && !terminal.screen.contains("PIN for"), "\(terminal.screen)")
        }

        @Test func `parallel calls wait for one prompt`() throws {
            let laptop = try SSHLaptop()
            let terminal = try laptop.terminal()
            #expect(terminal.shows("PIN for alice on "))
            // These have a wrong PIN, which would count.
            try laptop.machine.write("4963\n", to: "/wrong")
            let others = try (0..<4).map { _ in
                try Background(
                    laptop.ssh(["--if-needed", "--json", "--pin-file", laptop.machine.directory + "/wrong"]))
            }
            usleep(500_000)
            #expect(others.allSatisfy { $0.isRunning })
            terminal.type("4962")
            #expect(terminal.end() == 0, "\(terminal.screen)")
            for other in others { #expect(other.status() == 0, "\(other.line())") }
            #expect(try laptop.machine.counted() == 0)
        }

        @Test func `a call that waited shows the certificate of the other one`() throws {
            let laptop = try SSHLaptop()
            let terminal = try laptop.terminal()
            #expect(terminal.shows("PIN for alice on "))
            let file = try laptop.machine.pinFile("4962")
            let others = try ["", "--if-needed"].map { option in
                try Background(laptop.ssh((option.isEmpty ? [] : [option]) + ["--pin-file", file]))
            }
            usleep(500_000)
            #expect(others.allSatisfy { $0.isRunning })
            terminal.type("4962")
            #expect(terminal.end() == 0, "\(terminal.screen)")
            let shown = others[0].end()
            #expect(
                shown.wholeMatch(
                    of: #/(?s)The certificate for alice is valid until [0-2][0-9]:[0-5][0-9] \(8 hours\)\..*/#) != nil,
                "\(shown)")
            #expect(others[1].end().isEmpty)
            #expect(others.allSatisfy { $0.status() == 0 })
        }

        @Test func `calls that waited in vain do not ask again`() throws {
            let laptop = try SSHLaptop()
            let terminal = try laptop.terminal()
            #expect(terminal.shows("PIN for alice on "))
            let others = try (0..<3).map { _ in
                try Background(laptop.ssh(["--if-needed", "--pin-file", laptop.machine.pinFile("4962")]))
            }
            usleep(500_000)
            #expect(others.allSatisfy { $0.isRunning })
            terminal.control("C")
            #expect(terminal.end() == 130, "\(terminal.screen)")
            for other in others { #expect(other.status() == 75) }
            #expect(laptop.text(laptop.certificate) == nil)
        }

        /// As Ansible does. Without a certificate, none of them may wait for a PIN.
        @Test(.timeLimit(.minutes(2))) func `fifty calls without a terminal`() throws {
            let laptop = try SSHLaptop(isGranted: nil)
            for hasCertificate in [false, true] {
                if hasCertificate { try laptop.sign("-5m:+2h") }
                let call = ["/usr/bin/setsid", "--wait"] + laptop.call([Products.enroll, "ssh", "--if-needed"])
                let calls = try (0..<50).map { _ in try Background(call, environment: ["SSH_ASKPASS": ""]) }
                for call in calls { #expect(call.status() == (hasCertificate ? 0 : 66)) }
            }
        }

        @Test func `the agent gets a certificate for a user without sudo, in the user's own files`() throws {
            let system = try AgentMachine(), daemon = AgentMachine.daemon
            for words in [["ssh", "enable"], ["ssh", "allow", "alice"]] {
                let run = try Run(Products.server, words + ["--dir", system.machine.directory + "/server"])
                try #require(run.status == 0, "\(run.all)")
            }
            let session = system.machine.directory + "/run"
            for name in ["", "/1"] { try #require(mkdir(session + name, 0o755) == 0) }
            try #require(chown(session + "/1", daemon.uid, daemon.uid) == 0 && chmod(session + "/1", 0o700) == 0)
            let call = try Launcher.covering([("/run/user", session)]) + system.enrollment(as: daemon, ["ssh"])
            let terminal = try Terminal(call)
            terminal.answer("PIN for alice on ", "4962")
            #expect(terminal.end() == 0 && terminal.screen.contains("alice may log in as alice"), "\(terminal.screen)")
            var status = stat()
            for name in ["id_mpin", "id_mpin-cert.pub"] {
                #expect(lstat(session + "/1/mpin/" + name, &status) == 0)
                #expect(status.st_uid == daemon.uid && status.st_mode & 0o777 == 0o600)
            }
            #expect(try Run(call + ["--if-needed", "--json"]).status == 0)
            // For others than the user's own account, ssh would not find the files.
            let other = try Run(call + ["--user", "nobody"])
            #expect(other.status == 77, "\(other.all)")
            let forgotten = try Run(call + ["forget"])
            #expect(forgotten.status == 0 && access(session + "/1/mpin/id_mpin", F_OK) != 0, "\(forgotten.all)")
        }
    }
}
