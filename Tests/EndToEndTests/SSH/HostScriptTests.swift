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
            let run = try host.run("start; host && \(logins)")
            #expect(
                run.lines.first?.hasSuffix(
                    try ": sshd trusts the SSH CA \(host.fingerprint) for every account except root, toor.")
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
            let first = try host.run("host")
            #expect(
                first.status == 0 && first.output.hasSuffix(" for every account except root, from its next start.\n"),
                "\(first.all)")
            let files = try host.files()
            #expect(Set(files.keys) == Set(fresh.keys).union(["mpin_ca.pub", "sshd_config.d/50-mpin.conf"]))
            #expect(try files["mpin_ca.pub"] == host.ca + "\n")
            let again = try host.run("host")
            #expect(again.status == 0 && again.output == first.output, "\(again.all)")
            #expect(try host.files() == files)
            let undone = try host.run("start; login alice alice; host undo && login alice alice")
            #expect(
                undone.lines.first == "IN AS 63999" && undone.lines.last == "refused",
                "\(undone.all)")
            #expect(
                try undone.output.contains(": sshd no longer trusts the SSH CA \(host.fingerprint).\n"),
                "\(undone.all)")
            #expect(try host.files() == fresh)
            #expect(try host.run("host undo").status == 0)
        }

        struct Refusal: Sendable, CustomTestStringConvertible {
            let main: String
            let reason: String
            /// How the next run ends after the commands below the reason, or nil if there are none.
            var next: Int32? = 0
            var testDescription: String { reason }
        }

        private static let refusals = [
            Refusal(main: "", reason: "sshd does not read /etc/ssh/sshd_config.d."),
            // The included files apply to bob only.
            Refusal(
                main: "Match User bob\n\(SSHHost.include)",
                reason: "sshd does not read /etc/ssh/sshd_config.d."),
            // The next run prints how to add the key to the file of the other CA, and that is for the administrator to do.
            Refusal(main: "TrustedUserCAKeys /etc/ssh/other.pub\n", reason: "sshd would let root in.", next: 1),
            Refusal(
                main: "\(SSHHost.include)NoSuchKeyword yes\n", reason: "Nothing was changed, because 'sshd -t' fails.",
                next: nil),
            Refusal(
                main: "\(SSHHost.include)CASignatureAlgorithms ssh-ed25519\n",
                reason: "CASignatureAlgorithms lacks ecdsa-sha2-nistp256."),
            Refusal(
                main: "\(SSHHost.include)PubkeyAuthentication no\n",
                reason: "sshd_config sets 'PubkeyAuthentication no'.", next: nil),
            // sshd reads the files, but the first value applies.
            Refusal(
                main: "TrustedUserCAKeys none\n\(SSHHost.include)",
                reason: "sshd_config sets 'TrustedUserCAKeys none'. Remove that line.", next: nil),
            // sshd ignores a condition in a file that it includes below another one.
            Refusal(main: "Match all\n\(SSHHost.include)", reason: "sshd would let root in."),
        ]

        @Test(arguments: refusals) func `restores everything when it fails, and prints what fixes it`(refusal: Refusal)
            throws
        {
            for shell in SSHHost.shells {
                let host = try SSHHost(shell, accounts: Self.toor, main: refusal.main)
                try host.makeKey("ssh/other")
                // The files of an earlier run, for a server that had another key.
                try host.write("# Written by mpin-host.sh.\n", to: "ssh/sshd_config.d/50-mpin.conf")
                try host.write("# earlier\n", to: "ssh/mpin_ca.pub")
                let before = try host.files()
                let run = try host.run("host")
                #expect(run.status == 1 && run.output.isEmpty, "\(run.all)")
                #expect(run.errors.contains("mpin-host.sh: " + refusal.reason), "\(run.all)")
                #expect(!run.errors.contains("tee -a"), "\(run.all)")
                #expect(try host.files() == before)
                guard let next = refusal.next else {
                    #expect(!run.errors.contains("Run, then"), "\(run.all)")
                    continue
                }
                let fixed = try host.run(SSHHost.commands(of: run) + "\nhost")
                #expect(fixed.status == next && !fixed.errors.contains(refusal.reason), "\(fixed.all)")
            }
        }

        @Test(arguments: SSHHost.shells) func `a file of the administrator stays`(shell: String) throws {
            let host = try SSHHost(shell)
            try host.write("PermitRootLogin no\n", to: "ssh/sshd_config.d/50-mpin.conf")
            let before = try host.files()
            for command in ["host", "host undo"] {
                let run = try host.run(command)
                #expect(
                    run.status == 1 && run.errors.contains("50-mpin.conf is not a file of this script."), "\(run.all)")
            }
            #expect(try host.files() == before)
        }

        @Test func `undo works with a broken sshd_config, at once`() throws {
            let host = try SSHHost()
            try host.certify("alice", for: "alice")
            let fresh = try host.files()
            let run = try host.run(
                """
                start; host && login alice alice; echo NoSuchKeyword >>/etc/ssh/sshd_config
                host undo; echo $?; login alice alice; sed -i \\$d /etc/ssh/sshd_config
                """)
            #expect(run.lines.dropFirst() == ["IN AS 63999", "1", "refused"], "\(run.all)")
            #expect(run.errors.contains("mpin-host.sh: sshd now refuses certificates"), "\(run.all)")
            #expect(try host.files() == fresh)
        }

        @Test func `refuses an sshd that does not know Include`() throws {
            let host = try SSHHost(main: "")
            let sshd = try #require(Products.sshd)
            // OpenSSH 8.1 and earlier.
            let refusal = "echo '/dev/stdin: line 1: Bad configuration option: Include' >&2; exit 255"
            try host.replace("sshd", with: "case \"$*\" in *-f*) \(refusal) ;; esac; exec \(sshd) \"$@\"\n")
            let before = try host.files()
            let run = try host.run("host")
            #expect(run.status == 1 && run.errors == "mpin-host.sh: OpenSSH 8.2 or newer is required.\n", "\(run.all)")
            #expect(try host.files() == before)
        }

        @Test(arguments: SSHHost.shells) func `a signal at any step leaves the files of before, or all of the new ones`(
            shell: String
        ) throws {
            let host = try SSHHost(shell)
            try host.makeNextKey()
            let sshd = try #require(Products.sshd)
            // Sends the signal at the Nth call of sshd.
            try host.replace(
                "sshd",
                with: """
                    cd "${0%/*}/.."; echo >>calls; [ $(grep -c "" calls) != "$(cat at)" ] || kill -TERM $(cat pid)
                    exec \(sshd) "$@"

                    """)
            let next = "\(shell == "busybox" ? "busybox sh" : shell) next.sh"
            let run = try host.run(
                """
                files() { (cd /etc/ssh && find . -type f | sort | xargs cksum); }
                echo 0 >at; host >/dev/null; files >before; \(next) >/dev/null; files >after; host >/dev/null
                for step in $(seq 50); do
                    echo $step >at; : >calls
                    sh -c 'echo $$ >pid; exec \(next)' >/dev/null; status=$?
                    files >now
                    if cmp -s now before; then echo before $((status != 0)); elif cmp -s now after; then echo after $status; else echo mixed; fi
                    [ $status != 0 ] || [ $step -le $(grep -c "" calls) ] || break
                    host >/dev/null
                done

                """)
            #expect(run.lines.filter { $0 == "before 1" }.count > 5, "\(run.all)")
            #expect(run.lines.filter { $0 == "after 0" }.count > 1, "\(run.all)")
            #expect(run.lines.allSatisfy { ["before 1", "after 0"].contains($0) }, "\(run.all)")
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
            #expect(
                empty.status == 1 && empty.errors.contains("This script contains no key of an M-Pin server."),
                "\(empty.all)")
            #expect(try host.files() == before)
        }
    }
}
