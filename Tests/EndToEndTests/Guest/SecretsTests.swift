import Foundation
import Testing

extension EndToEnd {
    /// What is left of secrets in the memory of the host.
    @Suite struct SecretsTests {
        /// Writes the turned bytes of what must not be found: the PIN, the token's coordinates, and a part of the token
        /// as it stands in the file.
        private func writePatterns(_ machine: Machine, pin: String) throws -> String {
            let file = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: machine.record)))
            let users = try #require((file as? [String: Any])?["users"] as? [[String: Any]])
            let token = try #require(users.first?["token"] as? String)
            let digits = Array(token.utf8)
            let bytes = try stride(from: 0, to: digits.count, by: 2).map { place in
                try #require(UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16))
            }
            try #require(bytes.count == 65)
            let patterns = [Array(pin.utf8), Array(bytes[1..<33]), Array(bytes[33..<65]), Array(digits[40..<72])]
            let text = patterns.map { $0.map { String(format: "%02x", ~$0) }.joined() + "\n" }.joined()
            try machine.write(text, to: "/patterns")
            return machine.directory + "/patterns"
        }

        @Test(arguments: ["scan", "scan,no-locked-memory"], Products.modules)
        func `nothing is left in the host`(command: String, module: String) throws {
            let machine = try Machine(module: module)
            // Six digits are not found by chance.
            try machine.register(pin: "804713")
            let patterns = try writePatterns(machine, pin: "804713")
            let run = try machine.probe(command, patterns, pins: ["804713", "804714", "804713", "12"])
            let wanted = [
                "planted: 1 0 0 0", "planted: 0 1 0 0", "planted: 0 0 1 0", "planted: 0 0 0 1", "before: 0 0 0 0",
                "PAM_SUCCESS: 0 0 0 0", "PAM_AUTH_ERR: 0 0 0 0", "PAM_SUCCESS: 0 0 0 0", "PAM_AUTH_ERR: 0 0 0 0",
            ]
            #expect(run.lines.count == wanted.count + 1)
            for (line, start) in zip(run.lines, wanted) { #expect(line.hasPrefix(start + " in "), "\(line)") }
            #expect(run.status == 0)
            // Nor when the server is gone, and the login ends half-way.
            machine.kill()
            let gone = try machine.probe(command, patterns, pins: ["804713"])
            #expect(gone.lines.contains { $0.hasPrefix("PAM_AUTHINFO_UNAVAIL: 0 0 0 0") }, "\(gone.all)")
            #expect(gone.status == 0)
        }
    }
}
