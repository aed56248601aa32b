// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
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
                if (length != 8 || strncasecmp(name, "mpintest", 8) != 0 || size < 64) return NSS_STATUS_NOTFOUND;
                memcpy(buffer, "mpintest\\0x\\0/nonexistent\\0/bin/sh", 32);
                *entry = (struct passwd){.pw_name = buffer, .pw_passwd = buffer + 9, .pw_uid = 63999, .pw_gid = 65534,
                    .pw_gecos = buffer + 8, .pw_dir = buffer + 11, .pw_shell = buffer + 24};
                return NSS_STATUS_SUCCESS;
            }

            """
        private static let library = "/lib/x86_64-linux-gnu/libnss_hesiod.so.2"

        private func compile(_ directory: String) throws -> [(name: String, by: String)] {
            let source = directory + "/service.c", built = directory + "/service.so"
            try Data(Self.source.utf8).write(to: URL(fileURLWithPath: source))
            let run = try Run("/usr/bin/cc", ["-shared", "-fPIC", "-o", built, source])
            try #require(run.status == 0, "\(run.errors)")
            let order = directory + "/nsswitch.conf"
            try Data("passwd: files hesiod\ngroup: files\nshadow: files\n".utf8).write(to: URL(fileURLWithPath: order))
            try #require(chmod(built, 0o755) == 0 && chmod(order, 0o644) == 0)
            return [(Self.library, built), ("/etc/nsswitch.conf", order)]
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
            let system = try PrivateSystem(stack: stack, covering: compile)
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
    }
}
