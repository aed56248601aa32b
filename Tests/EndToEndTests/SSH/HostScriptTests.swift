// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// The script that makes the sshd of a host accept the server's certificates.
    @Suite(.enabled(if: PrivateSystem.isPossible && Products.sshd != nil)) struct HostScriptTests {
        private static let toor = "toor:x:0:0::/:/bin/sh\n"

        @Test(arguments: SSHHost.shells) func `users get in, and no account with UID 0`(shell: String) throws {
            let host = try SSHHost(shell, accounts: Self.toor)
            try host.certify("alice", for: "alice")
            // A certificate that the server does not issue, made with its CA key.
            try host.certify("forged", for: "alice,root,toor")
            let logins = """
                for account in alice bob; do echo "$account: $(login alice $account)"; done
                for account in alice root toor root:x; do echo "forged, $account: $(login forged $account)"; done

                """
            let run = try host.run("start; host && reloaded && \(logins)")
            #expect(
                run.lines.first?.hasSuffix(
                    try ": sshd accepts certificates of \(host.fingerprint) for every account except root, toor.")
                    == true, "\(run.all)")
            #expect(
                run.lines.dropFirst() == [
                    "alice: IN AS 63999", "bob: refused", "forged, alice: IN AS 63999", "forged, root: refused",
                    "forged, toor: refused", "forged, root:x: refused",
                ], "\(run.all)")
            // Without the rule for these accounts, the same certificate opens them.
            let open = try host.run(
                "sed -i /^Match/,\\$d /etc/ssh/sshd_config.d/50-mpin.conf; start; login forged root; login forged toor")
            #expect(open.lines == ["IN AS 0", "IN AS 0"], "\(open.all)")
        }

        @Test(arguments: SSHHost.shells) func `a second run changes nothing, and undo removes everything`(shell: String)
            throws
        {
            let host = try SSHHost(shell)
            try host.certify("alice", for: "alice")
            let fresh = try host.files()
            #expect(try host.run("host").status == 0)
            let files = try host.files()
            #expect(Set(files.keys) == Set(fresh.keys).union(["mpin_ca.pub", "sshd_config.d/50-mpin.conf"]))
            #expect(try files["mpin_ca.pub"] == host.ca + "\n")
            let again = try host.run("host")
            #expect(again.status == 0, "\(again.all)")
            #expect(try host.files() == files)
            let undone = try host.run("start; login alice alice; host undo && reloaded && login alice alice")
            #expect(
                undone.lines.first == "IN AS 63999" && undone.lines.last == "refused",
                "\(undone.all)")
            #expect(
                try undone.output.contains(": sshd no longer accepts certificates of \(host.fingerprint).\n"),
                "\(undone.all)")
            #expect(try host.files() == fresh)
            #expect(try host.run("host undo").status == 0)
        }

        struct Refusal: Sendable, CustomTestStringConvertible {
            let main: String
            let reason: String
            /// Whether the commands below the reason make the next run succeed.
            var isFixed = true
            var testDescription: String { reason }
        }

        private static let refusals = [
            Refusal(main: "", reason: "sshd does not read /etc/ssh/sshd_config.d."),
            // The included files apply to bob only.
            Refusal(
                main: "Match User bob\n\(SSHHost.include)",
                reason: "sshd does not read /etc/ssh/sshd_config.d."),
            Refusal(
                main: "TrustedUserCAKeys /etc/ssh/other.pub\n\(SSHHost.include)",
                reason: "sshd already trusts the CA keys in /etc/ssh/other.pub."),
            Refusal(
                main: "\(SSHHost.include)TrustedUserCAKeys /etc/ssh/other.pub\n",
                reason: "sshd already trusts the CA keys in /etc/ssh/other.pub."),
            Refusal(
                main: "\(SSHHost.include)NoSuchKeyword yes\n", reason: "Nothing was changed, because 'sshd -t' fails.",
                isFixed: false),
            Refusal(
                main: "\(SSHHost.include)CASignatureAlgorithms ssh-ed25519\n",
                reason: "sshd refuses the certificates, because casignaturealgorithms lacks ecdsa-sha2-nistp256.",
                isFixed: false),
            // sshd ignores a condition in a file that it includes below another one.
            Refusal(
                main: "Match all\n\(SSHHost.include)",
                reason: "sshd would let root in."),
        ]

        @Test(arguments: refusals) func `restores everything when it fails, and prints what fixes it`(refusal: Refusal)
            throws
        {
            for shell in SSHHost.shells {
                let host = try SSHHost(shell, accounts: Self.toor, main: refusal.main)
                try host.makeKey("ssh/other")
                // The files of an earlier run, for a server that had another key.
                try host.write("# earlier\n", to: "ssh/sshd_config.d/50-mpin.conf")
                try host.write("# earlier\n", to: "ssh/mpin_ca.pub")
                let before = try host.files()
                let run = try host.run("host")
                #expect(run.status == 1 && run.output.isEmpty, "\(run.all)")
                #expect(run.errors.contains("mpin-host.sh: " + refusal.reason), "\(run.all)")
                #expect(try host.files() == before)
                guard refusal.isFixed else { continue }
                let fix = run.errors.split(separator: "\n").drop { !$0.hasPrefix("mpin-host.sh: ") }.dropFirst()
                let fixed = try host.run(fix.joined(separator: "\n") + "\nhost")
                #expect(!fix.isEmpty && fixed.status == 0, "\(fixed.all)")
            }
        }

        @Test(arguments: SSHHost.shells) func `another CA still opens root, and this one does not`(shell: String) throws
        {
            let host = try SSHHost(
                shell, accounts: Self.toor, main: "TrustedUserCAKeys /etc/ssh/other.pub\n\(SSHHost.include)")
            try host.makeKey("keys/otherCA")
            try host.write(host.read("keys/otherCA.pub") + host.ca + "\n", to: "ssh/other.pub")
            try host.certify("other", for: "alice,root,toor", by: "otherCA")
            try host.certify("forged", for: "alice,root,toor")
            let logins = "for account in alice root toor; do login other $account; login forged $account; done"
            // Before the script, the key in that file opens every account.
            #expect(try host.run("start; \(logins)").output.ranges(of: "IN AS").count == 6)
            let run = try host.run("start; host && reloaded && \(logins)")
            #expect(
                run.lines.dropFirst() == ["IN AS 63999", "IN AS 63999", "IN AS 0", "refused", "IN AS 0", "refused"],
                "\(run.all)")
            // Undo would open root to the key in that file.
            let files = try host.files()
            let kept = try host.run("host undo")
            #expect(kept.status == 1 && kept.errors.contains("Remove it, then try again:"), "\(kept.all)")
            #expect(try host.files() == files)
            let undone = try host.run("\(kept.errors.split(separator: "\n").last ?? "")\nhost undo")
            #expect(undone.status == 0, "\(undone.all)")
            #expect(try host.files()["other.pub"] == host.read("keys/otherCA.pub"))
        }

        @Test func `runs as root only, and with a key only`() throws {
            let host = try SSHHost()
            let user = try host.run("\(Launcher.nobody.joined(separator: " ")) dash mpin-host.sh")
            #expect(
                user.status == 1 && user.errors == "mpin-host.sh: Run as root: sudo sh mpin-host.sh\n", "\(user.all)")
            #expect(try host.run("host remove").errors == "mpin-host.sh: Usage: sh mpin-host.sh [undo]\n")
            try host.write(host.read("mpin-host.sh").replacing(host.ca, with: "@CA@"), to: "mpin-host.sh")
            let before = try host.files()
            let empty = try host.run("host")
            #expect(empty.status == 1 && empty.errors.contains("This script contains no key."), "\(empty.all)")
            #expect(try host.files() == before)
        }
    }
}
