// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestPeers
import Testing

extension EndToEnd {
    /// A login the old way, overlapping with the one by which the registration gets its key.
    @Suite struct OverlappingMoveTests {
        /// Has another login end while a request to a path waits.
        final class Overlap: @unchecked Sendable {
            private let lock = NSLock()
            private var isDone = false
            private var server: LoopbackServer?

            init(_ machine: Machine, at path: String, _ other: @escaping @Sendable () -> Void) throws {
                let directory = machine.directory + "/overlap"
                try FileManager.default.createDirectory(
                    atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
                server = try LoopbackServer(directory: directory) { [unowned self, socket = machine.socket] exchange in
                    if exchange.path.hasPrefix(path), isFirst() { other() }
                    guard let answer = UnixRequest.send(exchange, to: socket) else { return .hangUp }
                    return Answer(status: answer.status, body: answer.body)
                }
            }

            deinit { server?.stop() }

            var url: String { server?.url ?? "" }
            var requests: [String] { server?.requests ?? [] }

            private func isFirst() -> Bool {
                lock.withLock {
                    defer { isDone = true }
                    return !isDone
                }
            }
        }

        private func test(_ machine: Machine, _ command: String, pin: String, at url: String) throws -> Run {
            try Run(
                Products.enroll,
                [
                    command, "--store", machine.store, "--server", url, "--user", machine.account, "--identity",
                    "alice",
                    "--config", machine.directory + "/mpin.conf", "--no-input", "--pin-file", machine.pinFile(pin),
                ])
        }

        /// A machine that moves over, and the relay between it and its server.
        private func overlapping(at path: String) throws -> (Machine, Overlap) {
            let machine = try Machine()
            try machine.registerWithoutKey()
            let pin = try machine.pinFile("4962")
            let place = ["--store", machine.store, "--user", machine.account, "--identity", "alice"]
            let rest = ["--config", machine.directory + "/mpin.conf", "--no-input", "--pin-file", pin]
            let url = "unix:" + machine.directory + "/overlap/s.sock"
            let overlap = try Overlap(machine, at: path) {
                _ = try? Run(Products.enroll, ["test", "--server", url] + place + rest)
            }
            let text = try String(contentsOfFile: machine.record, encoding: .utf8)
            try Data(text.replacing("unix:" + machine.socket, with: overlap.url).utf8).write(
                to: URL(fileURLWithPath: machine.record))
            chmod(machine.record, 0o600)
            try? FileManager.default.removeItem(atPath: machine.store + "/cache")
            return (machine, overlap)
        }

        /// The later one has no key to bring where it makes a one-time password; and where its passes begin after the key
        /// was bound, the server does not know it any more.
        @Test(arguments: [
            ("otp", "/mpinAuthenticate"), ("otp", "/rps/pass1"), ("test", "/rps/pass1"), ("otp", "/rps/pass2"),
            ("test", "/rps/timePermit"), ("otp", "/rps/timePermit"), ("test", "/dta/timePermit"),
        ])
        func `the later login signs, once, and is right`(command: String, path: String) throws {
            let (machine, overlap) = try overlapping(at: path)
            let run = try test(machine, command, pin: "4962", at: overlap.url)
            #expect(run.status == 0, "\(run.all) \(overlap.requests)")
            // If the later one has stored the key, the other tries a signed request too.
            let signed = overlap.requests.filter { $0 == "POST /mpinDirect" }.count
            #expect(signed == (command == "test" && path == "/rps/pass1" ? 2 : 1), "\(overlap.requests)")
            #expect(try machine.counted() == 0)
            let status = try Run(
                Products.enroll,
                [
                    "status", "--check", "--store", machine.store, "--user", machine.account, "--identity", "alice",
                    "--config", machine.directory + "/mpin.conf",
                ])
            #expect(status.status == 0 && !status.all.contains("refused"), "\(status.all)")
        }

        @Test func `a wrong PIN is counted once, by the signed login`() throws {
            let (machine, overlap) = try overlapping(at: "/rps/pass1")
            let run = try test(machine, "otp", pin: "4963", at: overlap.url)
            #expect(run.status == 81 && run.errors.contains("Tries left: 2"), "\(run.all)")
            #expect(try machine.counted() == 1)
        }

        @Test(arguments: ["/rps/pass1", "/rps/timePermit"]) func `the module's login too`(path: String) throws {
            let (machine, overlap) = try overlapping(at: path)
            try machine.service(
                "overlap",
                "\(Products.module) conf=\(machine.directory)/mpin.conf store=\(machine.store) server=\(overlap.url)"
            )
            let login = try machine.pam("authenticate", service: "overlap", typing: ["4962"])
            #expect(login.all.contains(PAMText.success), "\(login.all) \(overlap.requests)")
        }
    }
}
