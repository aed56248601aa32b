// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// The host script where sshd already trusts another CA, or an earlier key of this one.
    @Suite(.enabled(if: PrivateSystem.isPossible && Products.sshd != nil)) struct HostScriptCATests {
        /// sshd_config of a host that trusts another CA, before and after it reads the script's file.
        private static let others = [
            "TrustedUserCAKeys /etc/ssh/other.pub\n\(SSHHost.include)",
            "\(SSHHost.include)TrustedUserCAKeys /etc/ssh/other.pub\n",
        ]

        @Test(arguments: SSHHost.shells, others) func `another CA still opens root, and this one never does`(
            shell: String, main: String
        ) throws {
            let host = try SSHHost(shell, accounts: "toor:x:0:0::/:/bin/sh\n", main: main)
            try host.makeKey("keys/otherCA")
            try host.write(host.read("keys/otherCA.pub"), to: "ssh/other.pub")
            try host.certify("other", for: "alice,root,toor", by: "otherCA")
            try host.certify("forged", for: "alice,root,toor")
            // A certificate works as soon as the key is in that file, before the script runs again.
            let logins = "for account in alice root toor; do login other $account; login forged $account; done"
            let run = try host.run(
                "start; host 2>said; echo $?; login forged alice; tail -n 1 said | sh; \(logins); host")
            #expect(
                try run.lines.dropLast() == [
                    "1", "refused", host.ca, "IN AS 63999", "IN AS 63999", "IN AS 0", "refused", "IN AS 0", "refused",
                ], "\(run.all)")
            #expect(run.status == 0 && run.lines.last?.hasSuffix(" except root, toor.") == true, "\(run.all)")
            // Undo would open root to the key in that file.
            let files = try host.files()
            let broken = try host.run(
                "echo NoSuchKeyword >>/etc/ssh/sshd_config; host undo; sed -i \\$d /etc/ssh/sshd_config")
            #expect(broken.errors.contains("Nothing was changed, because 'sshd -t' fails."), "\(broken.all)")
            let kept = try host.run("host undo")
            #expect(
                kept.status == 1 && kept.errors.contains("other.pub contains a key of the M-Pin server."), "\(kept.all)"
            )
            #expect(try host.files() == files)
            // Until sshd reloads, it would refuse all keys of root, because the file of revoked keys is missing.
            let undone = try host.run("start; \(SSHHost.commands(of: kept))\nhost undo && login other root")
            #expect(undone.lines.last == "IN AS 0", "\(undone.all)")
            #expect(try host.files()["other.pub"] == host.read("keys/otherCA.pub"))
            #expect(!run.errors.contains("no longer work"), "\(run.all)")
            // A host that already has revoked keys.
            try host.write(host.read("keys/forged.pub"), to: "ssh/revoked")
            let closed = try host.run(
                "sed -i '1i RevokedKeys /etc/ssh/revoked' /etc/ssh/sshd_config; start; host 2>&1; login other root")
            #expect(
                closed.output.contains("Certificates of those CAs no longer work for root, toor.")
                    && closed.lines.last == "refused", "\(closed.all)")
        }

        @Test func `does not open a host whose sshd has not read the rule for root`() throws {
            let host = try SSHHost(main: Self.others[0])
            try host.makeKey("ssh/other")
            let before = try host.files()
            let stopped = try host.run("host")
            #expect(
                stopped.status == 1
                    && stopped.errors == "mpin-host.sh: sshd is not running. Start it, then try again.\n",
                "\(stopped.all)")
            #expect(try host.run("host undo").status == 0)
            #expect(try host.files() == before)
            // A program named sshd that ignores the signal.
            let deaf = try host.run(
                """
                mkdir deaf; cp /bin/sleep deaf/sshd; (trap '' HUP; exec deaf/sshd 60) & echo $! >/run/sshd.pid
                until grep -q sshd /proc/$!/comm; do sleep 0.1; done; host; status=$?; kill $!; exit $status
                """)
            #expect(
                deaf.status == 1 && deaf.errors == "mpin-host.sh: Nothing was changed, because sshd did not reload.\n",
                "\(deaf.all)")
            #expect(try host.files() == before)
        }

        @Test func `a file of revoked keys still applies to root`() throws {
            let host = try SSHHost(main: Self.others[0])
            try host.makeKey("keys/otherCA")
            try host.write(host.read("keys/otherCA.pub") + host.ca + "\n", to: "ssh/other.pub")
            try host.certify("stolen", for: "alice,root", by: "otherCA")
            try host.certify("forged", for: "alice,root")
            try host.write(host.read("keys/stolen.pub"), to: "ssh/revoked")
            let run = try host.run(
                """
                start; host && login stolen root; login forged alice; login forged root
                sed -i '1i RevokedKeys /etc/ssh/revoked' /etc/ssh/sshd_config
                host && login stolen root; login forged alice; login forged root

                """)
            #expect(
                run.lines.filter { !$0.contains("sshd trusts") }
                    == ["IN AS 0", "IN AS 63999", "refused", "refused", "IN AS 63999", "refused"], "\(run.all)")
        }

        @Test(arguments: SSHHost.shells) func `the key of a new CA replaces the former one`(shell: String) throws {
            let host = try SSHHost(shell)
            try host.makeNextKey()
            try host.certify("former", for: "alice")
            try host.certify("new", for: "alice,root", by: "next")
            let next = "\(shell == "busybox" ? "busybox sh" : shell) next.sh"
            let run = try host.run(
                "start; host && \(next) && login former alice; login new alice; login new root; cat /etc/ssh/mpin_ca.pub"
            )
            #expect(
                try run.lines.dropFirst(2) == [
                    "refused", "IN AS 63999", "refused", host.read("keys/next.pub").dropLast() + "",
                ],
                "\(run.all)")
            // Each script undoes the other one.
            let undone = try host.run("\(next) && host undo")
            #expect(undone.lines.count == 2, "\(undone.all)")
            #expect(undone.lines.first?.contains(" for every account") == true, "\(undone.all)")
            let removed = try #require(undone.lines.last?.split(separator: " ").last)
            #expect(try removed.dropLast() != host.fingerprint && removed.hasPrefix("SHA256:"), "\(undone.all)")
            #expect(undone.lines.first?.contains(removed.dropLast()) == true, "\(undone.all)")
            // Elsewhere, the rule for root would no longer cover the former key.
            let other = try SSHHost(shell, main: Self.others[0])
            try other.makeNextKey()
            try other.write("\(other.ca)\n", to: "ssh/other.pub")
            #expect(try other.run("host").status == 0)
            let files = try other.files()
            let kept = try other.run(next)
            #expect(
                kept.status == 1 && kept.errors.contains("other.pub contains a key of the M-Pin server."), "\(kept.all)"
            )
            #expect(try other.files() == files)
            let added = try other.run("start; \(SSHHost.commands(of: kept))\n\(next)")
            #expect(added.status == 1 && added.errors.contains("tee -a /etc/ssh/other.pub"), "\(added.all)")
            #expect(try other.files()["other.pub"] == "")
        }
    }
}
