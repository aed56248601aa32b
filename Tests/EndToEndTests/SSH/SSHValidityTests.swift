// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// When `mpin-enroll ssh --if-needed` takes a certificate for valid, for certificates of ssh-keygen.
    @Suite(.enabled(if: PrivateSystem.isPossible)) struct SSHValidityTests {
        /// Whether a certificate is needed: without a terminal, the command then fails.
        private func isNeeded(_ laptop: SSHLaptop) throws -> Bool {
            let run = try laptop.plain("--if-needed")
            #expect(run.status == 0 ? run.all.isEmpty : run.status == 66, "\(run.all)")
            return run.status != 0
        }

        @Test(arguments: [true, false])
        func `a certificate that is valid long enough is not renewed`(_ hasSession: Bool) throws {
            let laptop = try SSHLaptop(hasSession: hasSession, isGranted: nil)
            #expect(try isNeeded(laptop))
            try laptop.sign("-5m:+45s")
            #expect(try !isNeeded(laptop))
            let object = try laptop.plain("--if-needed", "--json").json()
            #expect(object["accounts"] as? [String] == ["alice", "bob"] && object["serial"] as? Int == 7, "\(object)")
            try laptop.sign("always:forever")
            #expect(try !isNeeded(laptop))
            // The clock of the laptop is slow: a new certificate would not be valid earlier.
            try laptop.sign("+10m:+2h")
            #expect(try !isNeeded(laptop))
            for validity in ["-5m:+25s", "-2h:-1h"] {
                try laptop.sign(validity)
                #expect(try isNeeded(laptop), "\(validity)")
            }
        }

        @Test func `a certificate that ssh cannot use is renewed`() throws {
            let laptop = try SSHLaptop(isGranted: nil)
            try laptop.sign("-5m:+2h")
            let whole = try #require(laptop.text(laptop.certificate))
            let words = whole.split(separator: " ")
            let (type, blob) = (String(words[0]), String(words[1]))
            let damaged: [String] = [
                "", "\n", type, "ssh-ed25519 \(blob)", "\(type) \(blob.dropLast(8))", "\(type) \(blob.prefix(100))",
                "\(type) \(blob)AAAA", String(whole.prefix(whole.count / 2)), String(repeating: "A", count: 65_536),
                whole.padding(toLength: 70_000, withPad: " ", startingAt: 0),
            ]
            for text in damaged {
                try laptop.write(text, to: laptop.certificate)
                #expect(try isNeeded(laptop), "\(text.prefix(60))")
            }
            // Certificates of a host, and of another type of key.
            try laptop.sign("-5m:+2h", options: "-h")
            #expect(try isNeeded(laptop))
            try laptop.write(whole, to: laptop.certificate)
            #expect(try !isNeeded(laptop))

            // Another key, one with a passphrase, and none.
            for passphrase in ["", "secret"] {
                unlink(laptop.key)
                _ = try SSHLaptop.keygen("-q", "-t", "ed25519", "-N", passphrase, "-f", laptop.key)
                #expect(try isNeeded(laptop))
            }
            unlink(laptop.key)
            #expect(try isNeeded(laptop))
        }

        @Test func `a damaged key is replaced, and its certificate goes first`() throws {
            let laptop = try SSHLaptop()
            #expect(try laptop.run(pin: "4962").status == 0)
            let key = try #require(laptop.text(laptop.key))
            for text in ["", String(key.prefix(key.count / 2)), String(key.prefix(200)), "x" + key] {
                try laptop.write(text, to: laptop.key)
                // A wrong PIN: the old certificate must not be next to a new key.
                #expect(try laptop.run(pin: "4963").status == 81)
                #expect(laptop.text(laptop.certificate) == nil)
                #expect(try SSHLaptop.keygen("-y", "-P", "", "-f", laptop.key).hasPrefix("ssh-ed25519 "))
                #expect(try laptop.run(pin: "4962").status == 0)
                #expect(try laptop.plain("--if-needed").status == 0)
            }
        }

        @Test func `only a directory of the user is used`() throws {
            let laptop = try SSHLaptop()
            let other = laptop.machine.directory + "/other"
            try #require(mkdir(other, 0o700) == 0 && symlink(other, laptop.files) == 0)
            let linked = try laptop.run(pin: "4962")
            #expect(linked.status == 74 && linked.errors.contains("is not a directory of this user"), "\(linked.all)")
            #expect(unlink(laptop.files) == 0)
            try #require(mkdir(laptop.files, 0o700) == 0 && chmod(laptop.files, 0o777) == 0)
            let open = try laptop.run(pin: "4962")
            #expect(open.status == 74 && open.errors.contains("Fix it: chmod go-w /run/user/0/mpin"), "\(open.all)")
            try #require(chmod(laptop.files, 0o700) == 0 && chown(laptop.files, 1, 1) == 0)
            #expect(try laptop.run(pin: "4962").status == 74)
            #expect(try FileManager.default.contentsOfDirectory(atPath: other).isEmpty)
            #expect(try laptop.machine.counted() == 0)
        }

        @Test func `a full directory, and a machine without ssh-keygen`() throws {
            let laptop = try SSHLaptop()
            let call = try [Products.enroll] + laptop.machine.call("ssh", "--pin-file", laptop.machine.pinFile("4962"))
            let full = try Run(
                laptop.call(Launcher.namespace("mount -t tmpfs -o size=4k,mode=700 none /run/user/0") + call))
            #expect(full.status == 74 && full.errors.contains("No space left on device"), "\(full.all)")
            let missing = try Run(laptop.call(Launcher.covering([("/usr/bin/ssh-keygen", "/dev/null")]) + call))
            #expect(
                missing.status == 70
                    && missing.errors.contains("Install the ssh client: sudo apt install openssh-client"),
                "\(missing.all)")
            #expect(try laptop.machine.counted() == 0)
        }

        @Test func `another user cannot keep the command waiting`() throws {
            for hasSession in [true, false] {
                let laptop = try SSHLaptop(hasSession: hasSession)
                try laptop.write("", to: laptop.files + "/mpin.lock")
                try #require(chmod(laptop.files, 0o755) == 0)
                // One who can open the directory locks it, and whatever else there is to open.
                for directory in [laptop.machine.directory, laptop.machine.directory + "/home"] {
                    try #require(chmod(directory, 0o755) == 0)
                }
                if hasSession { for name in ["/run", "/run/0"] { chmod(laptop.machine.directory + name, 0o755) } }
                let locks = Launcher.nobody + ["/usr/bin/flock", "--no-fork"]
                let closed = try Run(locks + ["-n", laptop.files + "/mpin.lock", "/bin/true"])
                #expect(closed.status == 66, "\(closed.all)")
                let other = try Background(locks + [laptop.files, "/bin/sh", "-c", "echo locked; exec sleep 20"])
                try other.requireLine("locked")
                let run = try laptop.run(pin: "4962")
                #expect(run.status == 0 && !run.errors.contains("Waiting"), "\(run.all)")
                #expect(try laptop.plain("setup", "db1", "--yes").status == 0)
                // A lock file that others can open is refused.
                try #require(chmod(laptop.files + "/mpin.lock", 0o644) == 0)
                let open = try laptop.run(pin: "4962")
                #expect(open.status == 74 && open.errors.contains("Delete it: rm "), "\(open.all)")
                unlink(laptop.files + "/mpin.lock")
                try #require(symlink(laptop.machine.directory + "/mpin.conf", laptop.files + "/mpin.lock") == 0)
                #expect(try laptop.run(pin: "4962").status == 74)
            }
        }

        @Test func `a setup that waits for an answer does not keep ssh waiting`() throws {
            // Both change files in ~/.ssh.
            let laptop = try SSHLaptop(hasSession: false)
            let terminal = try Terminal(laptop.call([Products.enroll, "ssh", "setup", "db1"]))
            #expect(terminal.shows("Make this change? [y/N] "), "\(terminal.screen)")
            let call = try laptop.ssh(["--if-needed", "--pin-file", laptop.machine.pinFile("4962")])
            let run = try Run(["/usr/bin/timeout", "60"] + call)
            try #require(run.status == 0 && !run.all.contains("nother mpin-enroll"), "\(run.all)")
            #expect(try laptop.plain("forget").status == 0)
            terminal.type("y")
            #expect(terminal.end() == 0, "\(terminal.screen)")
        }

        @Test func `forget deletes key and certificate`() throws {
            let laptop = try SSHLaptop(isGranted: nil)
            try laptop.sign("-5m:+2h")
            unlink(laptop.key + ".pub")
            let run = try laptop.plain("forget", "--json")
            #expect(try run.json()["deleted"] as? Bool == true, "\(run.all)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: laptop.files) == ["mpin.lock"])
            #expect(try laptop.plain("forget", "--json").json()["deleted"] as? Bool == false)
        }
    }
}
