// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// A store that cannot be written, or whose disk reports an error: logins need no write, and renewals leave the old
    /// data.
    @Suite(.enabled(if: PrivateSystem.isPossible)) struct FullDiskTests {
        enum Disk: String, CaseIterable, Sendable {
            case readOnly, full

            /// The message, and the command in its hint.
            var sentences: [String] {
                [self == .readOnly ? "Read-only file system." : "is full or over quota.", "mpin-enroll doctor "]
            }

            /// Shell commands that put the store into this state, in a separate mount namespace.
            func commands(_ store: String) -> String {
                switch self {
                case .readOnly: "mount --bind \(store) \(store) && mount -o remount,ro,bind \(store)"
                case .full:
                    """
                    mkdir \(store).kept && cp -a \(store)/. \(store).kept && mount -t tmpfs -o size=64k,mode=0700 none \
                    \(store) && cp -a \(store).kept/. \(store) && rm -r \(store).kept && \
                    { dd if=/dev/zero of=\(store)/filling bs=4096 2>/dev/null || true; }
                    """
                }
            }
        }

        @Test(arguments: Disk.allCases)
        func `changes no verdict`(_ disk: Disk) throws {
            for hasCache in [true, false] { try changesNoVerdict(disk, hasCache: hasCache) }
        }

        private func changesNoVerdict(_ disk: Disk, hasCache: Bool) throws {
            let machine = try Machine.enrolled()
            if !hasCache { try FileManager.default.removeItem(atPath: machine.store + "/cache") }
            let before = try Data(contentsOf: URL(fileURLWithPath: machine.record))
            let enroll =
                "\(Products.enroll) change-pin --store \(machine.store) --server unix:\(machine.socket) --user \(machine.account) "
                + "--identity alice --config \(machine.directory)/mpin.conf --no-input --pin-file "
                + "\(try machine.pinFile("4962")) --new-pin-file \(try machine.pinFile("804713"))"
            // The change fails and the old PIN remains. Then the user is blocked, which cannot be recorded.
            let script =
                disk.commands(machine.store) + " && { \(enroll) 2>/dev/null; echo \"change $?\"; } && \"$@\"; "
                + "find \(machine.store) -name '*.new' -o -path '*staging*' -type f; "
                + "cmp \(machine.record) \(machine.directory)/before && echo unchanged"
            try machine.write(String(decoding: before, as: UTF8.self), to: "/before")
            let run = try machine.probe(
                "try", pins: ["4962", "4963", "4963", "4963", "4962"],
                by: ["/usr/bin/unshare", "-m", "--propagation", "private", "/bin/sh", "-c", script, "sh"])
            let lines = run.lines
            #expect(lines.first?.hasPrefix("change ") == true && lines.first != "change 0", "\(run.all)")
            #expect(
                Array(lines.dropFirst()) == [
                    "PAM_SUCCESS", "PAM_AUTH_ERR", "PAM_AUTH_ERR", "PAM_MAXTRIES", "PAM_MAXTRIES", "unchanged",
                ], "\(run.all)")
        }

        @Test(arguments: Disk.allCases) func `no enrollment is half done`(
            _ disk: Disk
        )
            throws
        {
            let machine = try Machine.enrolled()
            let before = try String(contentsOfFile: machine.record, encoding: .utf8)
            try machine.write(before, to: "/before")
            let common =
                "--store \(machine.store) --server unix:\(machine.socket) --config \(machine.directory)/mpin.conf "
                + "--no-input --pin-file \(try machine.pinFile("804713"))"
            let calls = [
                "recover --user \(machine.account) --identity alice --code \(try machine.invitation())",
                "register --user nobody --identity bob --code \(try machine.invitation(for: "bob"))",
            ].map { "\(Products.enroll) \($0) \(common); echo $?" }
            let script =
                disk.commands(machine.store) + " && { \(calls.joined(separator: "; ")); }; "
                + "find \(machine.store) -name '*nobody*.json' -o -name '*.new'; "
                + "cmp \(machine.record) \(machine.directory)/before && echo unchanged"
            let run = try Run(
                "/usr/bin/unshare", ["-m", "--propagation", "private", "/bin/sh", "-c", script])
            let lines = run.lines
            try #require(lines.count == 3, "\(run.all)")
            // The store is not created or not written: never a success, and no leftover that breaks a later call.
            #expect(lines.prefix(2).allSatisfy { ["73", "74"].contains($0) }, "\(run.all)")
            #expect(lines[2] == "unchanged")
            // Both calls name the problem and the fix.
            for sentence in disk.sentences {
                #expect(run.errors.components(separatedBy: sentence).count == 3, "\(run.errors)")
            }
            #expect(try machine.probe("try", pins: ["4962"]).lines == ["PAM_SUCCESS"])
        }

        @Test(.enabled(if: Launcher.canTrace)) func `whichever fsync fails, change-pin names the valid PIN`() throws {
            let machine = try Machine.enrolled()
            let pins = ["4962": "804713", "804713": "4962"]
            var current = "4962"
            var unconfirmed = 0
            for n in 1...30 {
                let next = try #require(pins[current])
                let run = try Run(
                    Launcher.strace("fsync:error=EIO:when=\(n)", "-e", "trace=fsync") + [Products.enroll]
                        + machine.call("change-pin", "--json", "--no-input") + [
                            "--pin-file", machine.pinFile(current), "--new-pin-file", machine.pinFile(next),
                        ])
                let isNew = try machine.enroll("test", pin: next).status == 0
                let saysNew = run.status == 0 || run.output.contains("alice has a new PIN, but the disk")
                #expect(saysNew == isNew, "fsync \(n): \(run.all)")
                if !isNew { #expect(try machine.enroll("test", pin: current).status == 0, "fsync \(n)") }
                if run.status != 0 {
                    #expect(run.status == 74 && run.errorCode == "STORAGE_ERROR", "fsync \(n): \(run.all)")
                    if isNew { unconfirmed += 1 }
                }
                if isNew { current = next }
            }
            #expect(unconfirmed == 1)
        }

        @Test(.enabled(if: Launcher.canTrace)) func `a file is on the disk before it gets its name`() throws {
            let machine = try Machine.enrolled()
            let trace = machine.directory + "/trace"
            let change =
                ["-f", "-qq", "-y", "-o", trace, "-e", "trace=fsync,rename,renameat,renameat2", Products.enroll]
                + machine.call("change-pin", "--no-input") + [
                    "--pin-file", try machine.pinFile("4962"), "--new-pin-file", try machine.pinFile("804713"),
                ]
            let run = try Run("/usr/bin/strace", change)
            #expect(run.status == 0, "\(run.all)")
            // A new file has a name of its own until then, such as .alice.new.
            var (synced, renamed): (Set<Substring>, Int) = ([], 0)
            for line in try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n") {
                if line.contains("fsync("), let name = line.firstMatch(of: /\/(\.[^\/>]*\.new)>/)?.1 {
                    synced.insert(name)
                }
                guard line.contains("rename"), let name = line.firstMatch(of: /"(\.[^"\/]*\.new)"/)?.1 else { continue }
                #expect(synced.remove(name) != nil, "\(line)")
                renamed += 1
            }
            #expect(renamed > 0)
        }
    }
}
