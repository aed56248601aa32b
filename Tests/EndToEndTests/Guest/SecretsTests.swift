// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestPeers
import Testing

extension EndToEnd {
    /// What is left of secrets in the memory of the host.
    @Suite struct SecretsTests {
        /// The bytes behind a member of the only record, and its digits.
        private func secret(_ name: String, _ machine: Machine) throws -> (bytes: [UInt8], digits: [UInt8]) {
            let file = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: machine.record)))
            let users = try #require((file as? [String: Any])?["users"] as? [[String: Any]])
            let text = try #require(users.first?[name] as? String)
            let digits = Array(text.utf8)
            let bytes = try stride(from: 0, to: digits.count, by: 2).map { place in
                try #require(UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16))
            }
            return (bytes, digits)
        }

        /// Writes the turned bytes of what must not be found: the PIN, the token's coordinates, and a part of the token
        /// as it stands in the file; the private half of the device's key in both orders of its bytes, and as it stands
        /// there.
        private func writePatterns(_ machine: Machine, pin: String) throws -> String {
            let token = try secret("token", machine), key = try secret("deviceSecret", machine)
            try #require(token.bytes.count == 65 && key.bytes.count == 32)
            let patterns = [
                Array(pin.utf8), Array(token.bytes[1..<33]), Array(token.bytes[33..<65]), Array(token.digits[40..<72]),
                key.bytes, key.bytes.reversed(), Array(key.digits[10..<42]),
            ]
            let text = patterns.map { $0.map { String(format: "%02x", ~$0) }.joined() + "\n" }.joined()
            try machine.write(text, to: "/patterns")
            return machine.directory + "/patterns"
        }

        /// A line of the probe: the matches of each pattern.
        private func line(_ word: String, planted: Int? = nil) -> String {
            word + ": " + (0..<7).map { $0 == planted ? "1" : "0" }.joined(separator: " ")
        }

        @Test(arguments: ["scan", "scan,no-locked-memory"])
        func `nothing is left in the host`(command: String) throws {
            let machine = try Machine()
            // Six digits are not found by chance.
            try machine.register(pin: "804713")
            let patterns = try writePatterns(machine, pin: "804713")
            let run = try machine.probe(command, patterns, pins: ["804713", "804714", "804713", "12"])
            let wanted =
                (0..<7).map { line("planted", planted: $0) }
                + ["before", "PAM_SUCCESS", "PAM_AUTH_ERR", "PAM_SUCCESS", "PAM_AUTH_ERR"].map { line($0) }
            #expect(run.lines.count == wanted.count + 1)
            for (line, start) in zip(run.lines, wanted) { #expect(line.hasPrefix(start + " in "), "\(line)") }
            #expect(run.status == 0)
            // The server is gone, and the login ends half-way.
            machine.kill()
            let gone = try machine.probe(command, patterns, pins: ["804713"])
            #expect(gone.lines.contains { $0.hasPrefix(line("PAM_AUTHINFO_UNAVAIL")) }, "\(gone.all)")
            #expect(gone.status == 0)
        }

        @Test(.enabled(if: ProcessImage.mayBeRead))
        func `an answer with a share is wiped before the first login`() throws {
            let machine = try Machine()
            let shares = Mutex<[String]>([])
            let (reached, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let relay = try CountingRelay(
                machine,
                forging: { path, body in
                    for name in ["clientSecretShare", "clientSecret"] {
                        guard let start = body.range(of: "\"\(name)\":\"")?.upperBound else { continue }
                        shares.withLock { $0.append(String(body[start...].prefix(130))) }
                    }
                    if path == "/mpinDirect" {
                        reached.signal()
                        goOn.wait()
                    }
                    return body
                })
            let terminal = try Terminal(
                Products.enroll,
                machine.call("register", "--code", machine.invitation(), at: relay)
                    + ["--no-input", "--pin-file", machine.pinFile("804713")])
            defer { goOn.signal() }
            try #require(reached.wait(timeout: .now() + 120) == .success, "\(terminal.screen)")
            let memory = ProcessImage(process: terminal.session)
            // The search finds what is there.
            #expect(try memory.contains(Array("/mpinDirect".utf8)))
            let seen = shares.withLock { $0 }
            #expect(seen.count == 2)
            for share in seen { #expect(try !memory.contains(Array(share.utf8))) }
            goOn.signal()
            #expect(terminal.end() == 0, "\(terminal.screen)")
        }

        /// Freeing memory overwrites only its first bytes.
        @Test func `a long answer is wiped where the host has put it`() throws {
            let machine = try Machine.enrolled()
            let answer =
                String(repeating: "-", count: 40) + "and-then-a-long-passphrase" + String(repeating: "-", count: 40)
            let text = "and-then-a-long-passphrase".utf8.map { String(format: "%02x", ~$0) }.joined()
            try machine.write(text + "\n", to: "/patterns")
            let run = try machine.probe("scan", machine.directory + "/patterns", pins: [answer])
            #expect(run.lines.map { $0.prefix { $0 != " " } } == ["planted:", "before:", "PAM_AUTH_ERR:", "left"])
            #expect(run.lines.first?.hasPrefix("planted: 1 in ") == true && run.lines.last == "left 0", "\(run.all)")
        }
    }
}
