// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// An account database that knows an account by more names than its own.
    @Suite struct AccountDatabaseTests {
        /// A service for glibc that ignores case and takes a domain, as those of directories do.
        private static let source = """
            #include <nss.h>
            #include <pwd.h>
            #include <string.h>
            #include <strings.h>
            enum nss_status _nss_hesiod_getpwnam_r(
                const char *name, struct passwd *entry, char *buffer, size_t size, int *error) {
                size_t length = strcspn(name, "@");
                if (length != strlen(NAME) || strncasecmp(name, NAME, length) != 0 || size < sizeof NAME) {
                    return NSS_STATUS_NOTFOUND;
                }
                *entry = (struct passwd){.pw_name = strcpy(buffer, NAME), .pw_passwd = "x", .pw_uid = USER,
                    .pw_gid = 65534, .pw_gecos = "", .pw_dir = "/nonexistent", .pw_shell = "/bin/sh"};
                return NSS_STATUS_SUCCESS;
            }

            """
        private static let library = "/lib/x86_64-linux-gnu/libnss_hesiod.so.2"

        private static func compile(
            _ directory: String, name: String = "mpintest", user: Int = 63_999
        ) throws -> [(name: String, by: String)] {
            let file = directory + "/service.c", built = directory + "/service.so"
            try Data(source.utf8).write(to: URL(fileURLWithPath: file))
            let run = try Run(
                "/usr/bin/cc",
                ["-shared", "-fPIC", "-DNAME=\"\(name)\"", "-DUSER=\(user)", "-o", built, file])
            try #require(run.status == 0, "\(run.errors)")
            let order = directory + "/nsswitch.conf"
            try Data("passwd: files hesiod\ngroup: files\nshadow: files\n".utf8).write(to: URL(fileURLWithPath: order))
            try #require(chmod(built, 0o755) == 0 && chmod(order, 0o644) == 0)
            return [(library, built), ("/etc/nsswitch.conf", order)]
        }

        /// Reports once what is missing.
        private static let isPossible: Bool = {
            guard PrivateSystem.isPossible else { return false }
            if access(library, F_OK) == 0, access("/usr/bin/cc", X_OK) == 0 { return true }
            print("note: \(library) or cc is missing, and the test that needs them is left out")
            return false
        }()

        @Test(.enabled(if: isPossible))
        func `another spelling skips nothing`() throws {
            let stack = """
                auth [success=ok ignore=ignore default=die] MODULE ignore_unenrolled
                auth required pam_permit.so
                """
            let system = try PrivateSystem(stack: stack, covering: { try Self.compile($0) })
            for name in ["mpintest", "MPINTEST", "mpintest@example.org"] {
                let known = try system.run("/usr/bin/getent", "passwd", name)
                #expect(known.output.hasPrefix("mpintest:"), "\(known.all)")
                let wrong = try system.run("/usr/bin/pamtester", "su", name, "authenticate", typing: ["4963"])
                #expect(wrong.status != 0, "\(name): \(wrong.all)")
                let right = try system.run("/usr/bin/pamtester", "su", name, "authenticate", typing: ["4962"])
                #expect(right.status == 0, "\(name): \(right.all)")
            }
            // The program works on the same records, whatever the spelling.
            for name in ["MPINTEST", "mpintest@example.org"] {
                let status = try system.run(
                    Products.enroll, "status", "--json", "--user", name, "--store", system.machine.store, "--config",
                    system.machine.directory + "/mpin.conf")
                #expect(try status.json()["state"] as? String == "REGISTERED", "\(status.all)")
                #expect(try status.json()["account"] as? String == "mpintest")
            }
            // No account of that name: not passed over either.
            let nobody = try system.run("/usr/bin/pamtester", "su", "mpinother", "authenticate", typing: ["4962"])
            #expect(nobody.status != 0, "\(nobody.all)")
            // An account that is enrolled nowhere is.
            let unenrolled = try system.run("/usr/bin/pamtester", "su", "daemon", "authenticate")
            #expect(unenrolled.status == 0, "\(unenrolled.all)")
        }

        @Test(.enabled(if: isPossible && isRoot)) func `the agent acts for an account by its own name alone`() throws {
            let system = try AgentMachine(startsAgent: false)
            let places = try Self.compile(system.machine.directory, name: "daemon", user: 1)
            try system.start(by: Launcher.covering(places))
            let asked = try system.python(
                as: AgentMachine.daemon.launcher,
                AgentMachine.actions + """
                    names = ("daemon", "DAEMON", "daemon@example.org")
                    print(" ".join(str(len(ask(1, name)) > 0) for name in names), flush=True)
                    """)
            #expect(asked.line == "True False False")
        }
    }
}
