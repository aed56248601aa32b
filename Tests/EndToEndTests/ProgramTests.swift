// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// What no program takes from its surroundings, or loses because of them.
    @Suite struct ProgramTests {
        private static let programs = [Products.enroll, Products.server, Products.agent]

        /// Runs a command where /proc is empty.
        private static let withoutProc = Launcher.namespace("mount -t tmpfs none /proc")

        /// A library that replaces the environment when it is loaded.
        private static func library(_ directory: String) throws -> String {
            let source = directory + "/library.c", library = directory + "/library.so"
            let text = """
                #include <stdlib.h>
                __attribute__((constructor)) static void load(void) { setenv("LIBRARY", "loaded", 1); }
                """
            try Data(text.utf8).write(to: URL(fileURLWithPath: source))
            let made = try Run("/usr/bin/cc", ["-shared", "-fPIC", "-o", library, source])
            try #require(made.status == 0, "\(made.all)")
            return library
        }

        @Test(.enabled(if: PrivateSystem.isPossible), arguments: programs)
        func `a program has its arguments without proc`(program: String) throws {
            let directory = "/tmp/mpin-\(UUID().uuidString.prefix(8))"
            try #require(mkdir(directory, 0o755) == 0)
            defer { try? FileManager.default.removeItem(atPath: directory) }
            let preload = ["LD_PRELOAD": try Self.library(directory)]
            let usual = try Run([program, "--version"])
            try #require(usual.status == 0 && usual.output.contains("0.1"), "\(usual.all)")
            for (launcher, environment) in [(Self.withoutProc, [:]), ([], preload), (Self.withoutProc, preload)] {
                let version = try Run(launcher + [program, "--version"], environment: environment)
                #expect(version.status == 0 && version.output == usual.output, "\(environment): \(version.all)")
                let mistake = try Run(launcher + [program, "--no-such-option"], environment: environment)
                #expect(mistake.status == 64 && mistake.errors.contains("no-such-option"), "\(mistake.all)")
            }
        }

        @Test(.enabled(if: SpareMachine.isPossible)) func `a command without proc is the one that was typed`() throws {
            let spare = try SpareMachine()
            let before = try spare.read("/etc/pam.d/sudo")
            try #require(try spare.enroll("pam", "enable", "sudo", "--yes").status == 0)
            let run = try spare.run(Self.withoutProc + [Products.enroll, "pam", "disable", "sudo", "--yes"])
            #expect(run.status == 0 && run.output.contains("sudo no longer asks for the PIN."), "\(run.all)")
            #expect(try spare.read("/etc/pam.d/sudo") == before)
        }

        /// libcurl would write the keys of its connections to the file that this variable names. The agent gives its
        /// workers an environment of its own.
        @Test(.enabled(if: isRoot)) func `no program writes down the keys of its connections`() throws {
            let machine = try Machine()
            let peer = try TLSTests.Peer(machine, name: "good")
            let keys = machine.directory + "/keys", variables = ["SSLKEYLOGFILE": keys]
            let enrolled = try Run(
                Products.enroll,
                machine.call("register", "--code", machine.invitation(), "--no-input", "--pin-file", "-", at: peer),
                input: "4962", environment: variables)
            try #require(enrolled.status == 0, "\(enrolled.all)")
            #expect(access(keys, F_OK) != 0, "mpin-enroll")

            // The connection ends with an error, because no mail server answers, but its keys exist by then.
            try machine.write(
                "mail_from = a@example.org\nsmtp_url = smtps://localhost:\(peer.port)\n"
                    + "smtp_ca_file = \(peer.certificate)\n",
                to: "/server/server.conf")
            let mailed = try Run(
                Products.server, ["config", "mail", "b@example.org", "--dir", machine.directory + "/server"],
                environment: variables)
            #expect(mailed.status == 69, "\(mailed.all)")
            #expect(access(keys, F_OK) != 0, "mpin-server")
        }
    }
}
