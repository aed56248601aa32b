// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// PAM's files that others may change, or that libpam cannot read, and a module that is not there.
    @Suite(.enabled(if: SpareMachine.isPossible)) struct StackFileTests {
        struct Opening: Sendable {
            let path: String
            let sentence: String
            var mode: mode_t = 0o644
            var owner: uid_t = 0
        }

        private static let openings = [
            Opening(path: "/etc/pam.d", sentence: "/etc/pam.d is writable by users other than root", mode: 0o777),
            Opening(
                path: "/etc/pam.d/sudo", sentence: "/etc/pam.d/sudo is writable by users other than root", mode: 0o664),
            Opening(
                path: "/etc/pam.d/common-auth", sentence: "/etc/pam.d/common-auth belongs to the account 'mpintest'",
                owner: 63999),
            // One that another names by its path, and its directory.
            Opening(
                path: "/etc/mpin/stack", sentence: "/etc/mpin/stack is writable by users other than root", mode: 0o646),
            Opening(path: "/etc/mpin", sentence: "/etc/mpin belongs to", mode: 0o775, owner: 63999),
        ]

        private static func machine(_ opening: Opening) throws -> SpareMachine {
            let spare = try SpareMachine()
            try spare.put("@include common-auth\n@include common-account\n", at: "/etc/mpin/stack")
            try spare.put("@include /etc/mpin/stack\n", at: "/etc/pam.d/kiosk")
            let path = spare.place(opening.path)
            try #require(chmod(path, opening.mode) == 0 && chown(path, opening.owner, 0) == 0)
            return spare
        }

        @Test(arguments: openings.indices) func `write access to what PAM reads is a problem, which its command fixes`(
            number: Int
        ) throws {
            let opening = Self.openings[number]
            let spare = try Self.machine(opening)
            let found = try spare.findings(opening.sentence)
            #expect(found.count == 1 && found.first?["grade"] as? String == "fault", "\(opening.path): \(found)")
            let hint = try #require(found.first?["hint"] as? String)
            let command = hint.components(separatedBy: ": ").dropFirst().joined(separator: ": ")
            #expect(try spare.run(["/bin/sh", "-c", "sudo() { \"$@\"; }; \(command)"]).status == 0, "\(hint)")
            #expect(try spare.findings(opening.path + " ").filter { $0["grade"] as? String == "fault" }.isEmpty)
        }

        @Test(arguments: openings.indices) func `fix closes modes, and leaves owners to root`(number: Int) throws {
            let opening = Self.openings[number]
            let spare = try Self.machine(opening)
            let left = try spare.findings(opening.sentence, "--fix")
            // What PAM's files only name is reported.
            let isOwn = opening.path.hasPrefix("/etc/pam.d")
            #expect(left.isEmpty == (isOwn && opening.owner == 0), "\(left)")
            #expect(spare.mode(spare.place(opening.path)) == (isOwn ? opening.mode & ~0o022 : opening.mode))
        }

        @Test(arguments: ["is missing", "it is not a shared object"])
        func `a forecast does without a module that cannot be loaded`(sentence: String) throws {
            let spare = try SpareMachine()
            try #require(try spare.enroll("pam", "enable", "sudo", "--yes").status == 0)
            func verdict() throws -> String? {
                let run = try spare.enroll("pam", "show", "sudo", "--json")
                let rows = try #require(try run.json()["forecast"] as? [[String: String]], "\(run.all)")
                return rows.first { $0["pin"] == "right" && $0["password"] == "wrong" }?["result"]
            }
            #expect(try verdict() == "lets in")
            let module = spare.place(spare.module)
            try #require(unlink(module) == 0)
            if sentence != "is missing" { try spare.put("no module\n", at: spare.module) }
            let run = try spare.enroll("pam", "show", "sudo")
            let parts = run.output.components(separatedBy: "auth: who the user is")
            #expect(parts.count == 2 && parts[0].contains(sentence), "\(run.all)")
            #expect(run.output.contains("sudo apt install "), "\(run.all)")
            #expect(try verdict() == "refuses")
            #expect(try !spare.logIn(typing: "4962") && spare.logIn(typing: SpareMachine.password))
        }

        @Test func `a syntax error is named with its file and line`() throws {
            let files = [
                (
                    "@include common-auth\n@include nosuch\n",
                    "sudo line 2: it includes 'nosuch', but there is no such file"
                ),
                ("# one\n@include common-auth \\\n", "sudo line 2: it ends with a backslash"),
                ("auth required pam_env.so\nauth requird pam_unix.so\n", "sudo line 2: 'requird' is not a PAM control"),
                (
                    "auth [sucess=ok default=die] pam_unix.so\n",
                    "sudo line 1: 'sucess=ok default=die' is not a PAM control"
                ),
            ]
            let spare = try SpareMachine(isEnrolled: false)
            for (file, sentence) in files {
                try spare.put(file + "", at: "/etc/pam.d/sudo")
                let run = try spare.enroll("pam", "show", "sudo")
                #expect(run.status == 0 && run.output.contains(sentence), "\(run.all)")
                #expect(try !spare.logIn(typing: SpareMachine.password))
            }
            try spare.put("auth sufficient pam_mpin.so\n@include nosuch\n", at: "/etc/pam.d/sudo")
            let run = try spare.enroll("doctor", "--json")
            #expect(run.output.contains("sudo line 2: it includes 'nosuch'"), "\(run.all)")
        }
    }
}
