// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// Files that decide a login, as an attacker or an accident may leave them, under the real libpam.
    @Suite struct HostileFileTests {
        enum Fault: String, CaseIterable, Sendable {
            case link, hardLink, pipe, device, directory, openMode, foreignOwner, empty, huge, otherVersion, cutShort,
                notJSON
        }

        /// Replaces a file by a faulty one. False if that needs root.
        private func apply(_ fault: Fault, to path: String) throws -> Bool {
            let content = try String(contentsOfFile: path, encoding: .utf8)
            switch fault {
            case .link: try #require(rename(path, path + ".real") == 0 && symlink(path + ".real", path) == 0)
            case .hardLink: try #require(link(path, path + ".second") == 0)
            case .pipe: try #require(unlink(path) == 0 && mkfifo(path, 0o600) == 0)
            case .device:
                // A terminal: opened without O_NOCTTY it would become the controlling terminal.
                guard getuid() == 0 else { return false }
                try #require(unlink(path) == 0 && mknod(path, S_IFCHR | 0o600, 0x0500) == 0)
            case .directory: try #require(unlink(path) == 0 && mkdir(path, 0o700) == 0)
            case .openMode: try #require(chmod(path, 0o666) == 0)
            case .foreignOwner:
                guard getuid() == 0 else { return false }
                try #require(chown(path, 65_534, 65_534) == 0)
            case .empty: try #require(truncate(path, 0) == 0)
            case .huge: try #require(truncate(path, 1 << 30) == 0)
            case .otherVersion:
                try overwrite(path, content.replacing("\"version\":4", with: "\"version\":5"))
            case .notJSON: try overwrite(path, "x" + content)
            case .cutShort: try overwrite(path, String(content.prefix(content.count / 2)))
            }
            return true
        }

        private func overwrite(_ path: String, _ text: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            try #require(chmod(path, 0o600) == 0)
        }

        /// Does something while a file has each of the faults, and restores the good file each time.
        private func withFaults(_ path: String, _ body: (Fault) throws -> Void) throws {
            let good = path + ".good"
            try FileManager.default.copyItem(atPath: path, toPath: good)
            defer { unlink(good) }
            for fault in Fault.allCases {
                if try apply(fault, to: path) { try body(fault) }
                for left in [path, path + ".real", path + ".second"] {
                    try? FileManager.default.removeItem(atPath: left)
                }
                try FileManager.default.copyItem(atPath: good, toPath: path)
                try #require(chmod(path, 0o600) == 0)
            }
        }

        @Test func `a bad record logs no user in`() throws {
            let machine = try Machine.enrolled()
            try machine.service("skips", machine.module("ignore_unenrolled"))
            try withFaults(machine.record) { fault in
                // Neither as a denial of the ordinary kind, which a stack may skip, nor by stepping aside.
                for service in ["mpin", "skips"] {
                    let run = try machine.probe("try", pins: ["4962"], service: service)
                    #expect(run.lines == ["PAM_SYSTEM_ERR"], "\(fault): \(run.all)")
                }
            }
            #expect(try machine.counted() == 0)
            #expect(try machine.probe("try", pins: ["4962"]).status == 0)
        }

        @Test func `a bad cache is ignored`() throws {
            let machine = try Machine.enrolled()
            let cache = machine.store + "/cache/\(machine.account).json"
            try withFaults(cache) { fault in
                let run = try machine.probe("try", pins: ["4962", "4963", "4962"])
                #expect(run.lines == ["PAM_SUCCESS", "PAM_AUTH_ERR", "PAM_SUCCESS"], "\(fault): \(run.all)")
            }
        }

        @Test func `a bad configuration denies`() throws {
            let machine = try Machine.enrolled()
            try machine.write("timeout = 60\n", to: "/mpin.conf")
            try withFaults(machine.directory + "/mpin.conf") { fault in
                let run = try machine.probe("try", pins: ["4962"])
                switch fault {
                case .empty, .otherVersion: #expect(run.lines == ["PAM_SUCCESS"], "\(fault): \(run.all)")
                // Half of it is no longer a setting.
                default: #expect(run.lines == ["PAM_SERVICE_ERR"], "\(fault): \(run.all)")
                }
            }
        }

        @Test func `a bad lock denies and never waits for ever`() throws {
            let machine = try Machine.enrolled()
            try withFaults(machine.store + "/users/\(machine.account).lock") { fault in
                let run = try machine.probe("try", pins: ["4962"])
                #expect(run.lines == ["PAM_SYSTEM_ERR"] || run.lines == ["PAM_SUCCESS"], "\(fault): \(run.all)")
                #expect(run.status < 128, "\(fault)")
            }
            #expect(try machine.counted() == 0)
        }

        @Test(.enabled(if: isRoot))
        func `a record that changes under the reader never becomes another ones`() throws {
            let machine = try Machine.enrolled()
            // The attacker's own registration and PIN. Six digits, so that it is not sent for other accounts.
            try machine.register(pin: "804713", identity: "mallory", account: "nobody")
            let foreign = machine.store + "/users/foreign", good = machine.store + "/users/good"
            try #require(rename(machine.store + "/users/nobody.json", foreign) == 0)
            try #require(chown(foreign, 65_534, 65_534) == 0)
            let record = machine.record
            let swapping = Swapping {
                rename(record, good)
                rename(foreign, record)
                usleep(1000)
                rename(record, foreign)
                rename(good, record)
                // Long enough for a login to read it twice now and then.
                usleep(1000)
            }
            let rounds = isFast ? 40 : 200
            var own = Set<String>()
            // On a busy machine, the swapping thread may not run at all during a login.
            for _ in 0..<20 where own.count < 2 || !own.contains("PAM_SUCCESS") {
                let run = try machine.probe("try", pins: (0..<rounds).map { $0 % 2 == 0 ? "4962" : "804713" })
                #expect(run.status < 128 && run.lines.count == rounds, "\(run.errors)")
                for (number, line) in run.lines.enumerated() {
                    guard number % 2 == 1 else {
                        own.insert(line)
                        continue
                    }
                    #expect(line != "PAM_SUCCESS", "the foreign record")
                }
            }
            swapping.stop()
            #expect(own.contains("PAM_SUCCESS"), "\(own)")
            #expect(own.count > 1, "nothing was ever swapped")
            #expect(try machine.probe("try", pins: ["4962"]).status == 0)
        }

        @Test func `logins and changes of the PIN at the same time`() throws {
            let machine = try Machine.enrolled(maximum: 10)
            let files = [try machine.pinFile("4962"), try machine.pinFile("804713")]
            let changes = Swapping { [machine] in
                // There and back again.
                for (old, new) in [(files[0], files[1]), (files[1], files[0])] {
                    let run = try? machine.enroll("change-pin", "--pin-file", old, "--new-pin-file", new)
                    if run?.status != 0 { Issue.record("\(run?.all ?? "")") }
                }
            }
            let rounds = isFast ? 40 : 200
            let run = try machine.probe("try", pins: (0..<rounds).map { $0 % 2 == 0 ? "4962" : "804713" })
            changes.stop()
            #expect(run.lines.count == rounds)
            #expect(Set(run.lines) == ["PAM_SUCCESS", "PAM_AUTH_ERR"], "\(run.all)")
            #expect(try machine.probe("try", pins: ["4962"]).lines == ["PAM_SUCCESS"])
            #expect(try machine.counted() == 0)
        }

        /// Files that are replaced while a process reads them are neither unsafe nor damaged.
        @Test func `files that are replaced under the reader`() throws {
            let machine = try Machine.enrolled()
            try machine.write("timeout = 30\n", to: "/mpin.conf")
            let files = [
                machine.directory + "/mpin.conf", machine.record, machine.store + "/cache/\(machine.account).json",
            ]
            let contents = try files.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
            let replacing = zip(files, contents).map { file, content in
                Swapping {
                    let next = file + ".next"
                    FileManager.default.createFile(
                        atPath: next, contents: content, attributes: [.posixPermissions: 0o600])
                    if rename(next, file) != 0 { Issue.record("\(file): \(errno)") }
                }
            }
            let rounds = isFast ? 40 : 200
            let run = try machine.probe("try", pins: (0..<rounds).map { _ in "4962" })
            for one in replacing { one.stop() }
            #expect(run.lines.count == rounds && Set(run.lines) == ["PAM_SUCCESS"], "\(run.all)")
        }

        /// A list names the accounts that remain enrolled. Accounts that appear or disappear meanwhile cause no
        /// failure.
        @Test func `a list while accounts come and go`() throws {
            let machine = try Machine.enrolled()
            let other = machine.store + "/users/nobody.json"
            try machine.register(pin: "7381", identity: "bob", account: "nobody")
            let content = try Data(contentsOf: URL(fileURLWithPath: other))
            let changing = Swapping {
                FileManager.default.createFile(
                    atPath: other + ".next", contents: content, attributes: [.posixPermissions: 0o600])
                rename(other + ".next", other)
                usleep(300)
                unlink(other)
            }
            let list = ["list", "--json", "--store", machine.store, "--config", machine.directory + "/mpin.conf"]
            for _ in 0..<(isFast ? 10 : 40) {
                let run = try Run(Products.enroll, list)
                #expect(run.status == 0, "\(run.all)")
                let accounts = (try run.json()["identities"] as? [[String: Any]] ?? []).compactMap {
                    $0["account"] as? String
                }
                #expect(accounts.contains(machine.account), "\(run.all)")
            }
            changing.stop()
        }
    }
}

/// Does something repeatedly on a separate thread.
final class Swapping: @unchecked Sendable {
    private let lock = NSLock()
    private let done = DispatchSemaphore(value: 0)
    private var isOver = false

    init(_ step: @escaping @Sendable () -> Void) {
        Thread.detachNewThread { [self] in
            while !lock.withLock({ isOver }) {
                step()
                usleep(200)
            }
            done.signal()
        }
    }

    /// Waits for the end of the current step.
    func stop() {
        lock.withLock { isOver = true }
        done.wait()
    }
}
