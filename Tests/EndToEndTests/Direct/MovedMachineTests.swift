// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// Machines that were enrolled before there were device keys.
    @Suite struct MovedMachineTests {
        private func enrolled(_ machine: Machine, _ relay: CountingRelay) throws {
            try machine.giveOldName()
            let registered = try machine.enroll(
                "register", "--code", OldServerView.code(machine.invitation()), at: relay, pin: "4962")
            try #require(registered.status == 0, "\(registered.errors)")
            #expect(try machine.key(at: relay) == "none")
            relay.show()
            try FileManager.default.removeItem(atPath: machine.store + "/cache")
            relay.forget()
        }

        @Test func `the module's next login brings a key`() throws {
            let machine = try Machine()
            let relay = try CountingRelay(machine, hidesKeys: true)
            try machine.service("relay", at: relay)
            try enrolled(machine, relay)
            let old = try machine.pam("authenticate", service: "relay", typing: ["4962"])
            #expect(old.all.contains(PAMText.success), "\(old.all)")
            #expect(relay.requests.contains("POST /rps/pass2"))
            #expect(try machine.key(at: relay) == "file")
            relay.forget()
            let new = try machine.pam("authenticate", service: "relay", typing: ["4962"])
            #expect(new.all.contains(PAMText.success), "\(new.all)")
            #expect(relay.requests == OneRequestTests.only)
            let record = try String(contentsOfFile: machine.record, encoding: .utf8)
            // mpin-enroll pins the server's key.
            #expect(!record.contains("\"serverKeySource\":\"tls\""))
            // From here on the old way is closed to all devices.
            let bare = record.replacing(/"version":[23]/, with: "\"version\":1")
                .replacing(/"serverId":"[0-9a-f]{64}"/, with: "\"serverId\":\"\(Machine.oldName)\"")
                .replacing(/"serverKey":"[0-9a-f]*",/, with: "").replacing(/"serverKeySource":"tls",/, with: "")
                .replacing(/"deviceKey":"[0-9a-f]*",/, with: "").replacing(/,"deviceSecret":"[0-9a-f]*"/, with: "")
                .replacing(/"checksum":[0-9]*,/, with: "")
            try Data(bare.utf8).write(to: URL(fileURLWithPath: machine.record))
            let robbed = try machine.pam("authenticate", service: "relay", typing: ["4962"])
            #expect(!robbed.all.contains(PAMText.success), "\(robbed.all)")
            #expect(try machine.counted() == 0)
        }

        @Test func `a wrong PIN brings none, the right one then does`()
            throws
        {
            let machine = try Machine()
            let relay = try CountingRelay(machine, hidesKeys: true)
            try machine.service("relay", at: relay)
            try enrolled(machine, relay)
            _ = try machine.pam("authenticate", service: "relay", typing: ["4963"])
            #expect(try machine.key(at: relay) == "pending")
            let right = try machine.pam("authenticate", service: "relay", typing: ["4962"])
            #expect(right.all.contains(PAMText.success), "\(right.all)")
            #expect(try machine.key(at: relay) == "file")
        }

        private static let isPossible: Bool = {
            let tried = try? Run("/usr/bin/strace", ["-f", "-qq", "-o", "/dev/null", "/bin/true"])
            return tried?.status == 0
        }()

        /// Killed before any call that changes something or sends: the PIN logs in afterwards, and the key is the server's.
        @Test(.enabled(if: isPossible)) func `killed at any moment`() throws {
            let machine = try Machine()
            try machine.giveOldName()
            let hiding = try CountingRelay(machine, hidesKeys: true)
            var deaths = 0
            for call in isFast ? ["renameat"] : ["mkdirat", "write", "fsync", "renameat", "unlinkat", "sendto"] {
                for number in 1...60 {
                    let identity = "u-\(call)-\(number)", store = machine.directory + "/store-\(call)-\(number)"
                    let registered = try machine.enroll(
                        "register", "--code", OldServerView.code(machine.invitation(for: identity)), at: hiding,
                        pin: "4962",
                        identity: identity, store: store)
                    try #require(registered.status == 0, "\(registered.errors)")
                    try FileManager.default.removeItem(atPath: store + "/cache")
                    let test = [
                        "test", "--store", store, "--server", "unix:" + machine.socket, "--user", machine.account,
                        "--identity", identity, "--config", machine.directory + "/mpin.conf", "--no-input",
                        "--pin-file", try machine.pinFile("4962"),
                    ]
                    // The record names the relay; the server itself shows what it knows.
                    let record = store + "/users/\(machine.account).json"
                    let text = try String(contentsOfFile: record, encoding: .utf8)
                    let changed = text.replacingOccurrences(of: hiding.url, with: "unix:" + machine.socket)
                    try Data(changed.utf8).write(to: URL(fileURLWithPath: record))
                    let run = try Run(
                        "/usr/bin/strace",
                        [
                            "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + call, "-e",
                            "inject=\(call):signal=KILL:when=\(number)", Products.enroll,
                        ] + test)
                    let again = try Run(Products.enroll, test)
                    #expect(again.status == 0, "\(call) \(number): \(again.all)")
                    let status = try Run(Products.enroll, ["status", "--json"] + test[1...10])
                    #expect(try status.json()["key"] as? String == "file", "\(call) \(number): \(status.all)")
                    guard run.status != 0 else { break }
                    #expect(run.status == 128 + SIGKILL, "\(run.all)")
                    deaths += 1
                }
            }
            #expect(deaths > (isFast ? 1 : 10))
        }
    }
}
