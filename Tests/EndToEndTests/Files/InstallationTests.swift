// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// `scripts/install`, which installs without the packages, and its interruptions.
    @Suite struct InstallationTests {
        /// A copy of the files that the script reads, with this build in it, and a directory to install in.
        private final class Tree {
            let directory = "/tmp/mpin-tree-\(UUID().uuidString.prefix(8))"
            var target: String { directory + "/target" }

            init() throws {
                let run = try Run(
                    "/bin/sh",
                    [
                        "-c",
                        """
                        cd "$1" && mkdir -p "$0/build" && cp -r scripts pam.d docs man packaging README.md "$0" &&
                            cp "$2/mpin-agent" "$2/mpin-enroll" "$2/mpin-server" "$3" "$0/build" &&
                            mkdir -p "$0/target" "$0/build/completions" && cd "$0/build/completions" &&
                            mkdir -p usr/share/bash-completion/completions usr/share/fish/vendor_completions.d \\
                                usr/share/zsh/vendor-completions &&
                            for program in mpin-agent mpin-enroll mpin-server; do
                                touch usr/share/bash-completion/completions/$program
                                touch usr/share/fish/vendor_completions.d/$program.fish
                                touch usr/share/zsh/vendor-completions/_$program
                            done
                        """, directory, Products.repository.path, Products.directory, Products.module,
                    ])
                try #require(run.status == 0, "\(run.all)")
            }

            deinit { try? FileManager.default.removeItem(atPath: directory) }

            /// - Parameter before: a command before it in the same shell, such as one that sets a limit.
            func install(_ options: String..., before: String = ":") throws -> Run {
                try Run(
                    "/bin/bash", ["-c", before + "; exec \"$0\" \"$@\"", directory + "/scripts/install"] + options)
            }

            /// The installed files below the target, by their paths.
            func files() throws -> [String: Data] {
                let names = FileManager.default.enumerator(atPath: target)?.compactMap { $0 as? String } ?? []
                var files: [String: Data] = [:]
                for name in names {
                    var facts = stat()
                    guard lstat(target + "/" + name, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { continue }
                    files[name] = try Data(contentsOf: URL(fileURLWithPath: target + "/" + name))
                }
                return files
            }

            func module() throws -> String {
                try #require(try files().keys.first { $0.hasSuffix("/pam_mpin.so") })
            }
        }

        /// A write that ends in the middle of the module, as on a full disk or with a program that is killed.
        @Test func `an interrupted installation leaves the old module, which logs in`() throws {
            let machine = try Machine.enrolled(), tree = try Tree()
            try #require(try tree.install("--destdir", tree.target).status == 0)
            let module = tree.target + "/" + (try tree.module())
            try machine.service("installed", machine.module().replacing(Products.module, with: module))
            #expect(try machine.pam("authenticate", service: "installed", typing: ["4962"]).status == 0)
            let before = try tree.files()
            // A newer build of everything.
            let newer = tree.directory + "/build"
            for name in try FileManager.default.contentsOfDirectory(atPath: newer) where name != "completions" {
                let handle = try #require(FileHandle(forWritingAtPath: newer + "/" + name))
                try handle.seekToEnd()
                try handle.write(contentsOf: Data(repeating: 1, count: 100))
                try handle.close()
            }
            // In KiB: less than the module, and then more than it, but less than a program.
            for limit in [20, 100, 1_000] {
                let run = try tree.install("--destdir", tree.target, before: "ulimit -f \(limit)")
                #expect(run.status != 0, "\(run.all)")
                let login = try machine.pam("authenticate", service: "installed", typing: ["4962"])
                #expect(login.status == 0, "\(limit): \(login.status) \(login.all)")
                for (name, content) in try tree.files() {
                    #expect(before[name] == content, "\(limit): \(name)")
                }
            }
            // What the interruptions have left is gone after an installation that ends.
            try #require(try tree.install("--destdir", tree.target).status == 0)
            let after = try tree.files()
            #expect(after.keys.sorted() == before.keys.sorted())
            #expect(try Data(contentsOf: URL(fileURLWithPath: newer + "/pam_mpin.so")) == after[try tree.module()])
        }

        /// Killed before each rename: each file is the old one or the new one, and the module is new only in the end.
        @Test func `the module is the last file`() throws {
            let tree = try Tree()
            let log = tree.directory + "/log"
            let traced = try Run(
                "/usr/bin/strace",
                [
                    "-f", "-qq", "-o", log, "-e", "trace=rename,renameat,renameat2,fsync",
                    tree.directory + "/scripts/install",
                    "--destdir", tree.target,
                ])
            try #require(traced.status == 0, "\(traced.all)")
            let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
            let renames = lines.indices.filter { lines[$0].contains("rename") && lines[$0].hasSuffix("= 0") }
            #expect(renames.count == (try tree.files().count))
            #expect(renames.last.map { lines[$0].contains("/pam_mpin.so\"") } == true)
            // Each is on the disk before it has its name.
            for (earlier, rename) in zip([lines.startIndex] + renames, renames) {
                #expect(
                    lines[earlier..<rename].contains { $0.contains("fsync(") && $0.hasSuffix("= 0") },
                    "\(lines[rename])")
            }
        }

        @Test(arguments: ["--prefix", "--destdir"], ["relative", "./here"])
        func `a relative path is refused`(option: String, path: String) throws {
            let tree = try Tree()
            let run = try tree.install("--destdir", tree.target, option, path)
            #expect(run.status == 1 && run.errors.contains("\(option) needs an absolute path"), "\(run.all)")
            #expect(try tree.files().isEmpty)
        }

        @Test(arguments: ["/opt/a&b", "/opt/a|b", "/opt/a b", "/opt/a\"b", "/opt/a%b", "/opt/a\\b", "/opt/a\nb"])
        func `a prefix that a unit would read in another way is refused`(prefix: String) throws {
            let tree = try Tree()
            let run = try tree.install("--destdir", tree.target, "--prefix", prefix)
            #expect(run.status == 1 && run.errors.contains("--prefix needs an absolute path"), "\(run.all)")
            #expect(try tree.files().isEmpty)
        }

        @Test func `a directory with special characters is used as it is`() throws {
            let tree = try Tree()
            let place = tree.target + "/a & b|c"
            try #require(mkdir(place, 0o755) == 0)
            #expect(try tree.install("--destdir", place, "--prefix", "/opt/mpin-0.1_a+b").status == 0)
            let unit = place + "/opt/mpin-0.1_a+b/lib/systemd/system/mpin-agent.service"
            let text = try String(contentsOfFile: unit, encoding: .utf8)
            #expect(text.contains("\nExecStart=/opt/mpin-0.1_a+b/sbin/mpin-agent\n"), "\(text)")
        }

        @Test func `the module of another system stays while a line there names it`() throws {
            let tree = try Tree()
            try #require(try tree.install("--destdir", tree.target).status == 0)
            let module = try tree.module()
            let pam = tree.target + "/etc/pam.d"
            try FileManager.default.createDirectory(atPath: pam, withIntermediateDirectories: true)
            try Data("auth required pam_mpin.so\n".utf8).write(to: URL(fileURLWithPath: pam + "/common-auth"))
            let refused = try tree.install("--destdir", tree.target, "--uninstall")
            #expect(refused.status == 1, "\(refused.all)")
            #expect(refused.errors.contains("\(pam)/common-auth:1: auth required pam_mpin.so"), "\(refused.all)")
            #expect(try tree.module() == module)
            try #require(unlink(pam + "/common-auth") == 0)
            let removed = try tree.install("--destdir", tree.target, "--uninstall")
            #expect(removed.status == 0, "\(removed.all)")
            #expect(try tree.files().isEmpty)
        }
    }
}
