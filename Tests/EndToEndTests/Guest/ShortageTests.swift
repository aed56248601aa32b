// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers
import Testing

extension EndToEnd {
    /// Hosts that have run out of something.
    @Suite struct ShortageTests {
        @Test(arguments: ["files", "memory"], [false, true])
        func `a lack of resources is not an unavailable server`(of what: String, overTLS: Bool) throws {
            let machine = try Machine()
            let peer = try overTLS ? TLSTests.Peer(machine, name: "good") : nil
            try machine.register(at: peer)
            try machine.service("mpin", machine.module(at: peer))
            let run = try machine.probe("starve", what, pins: ["4962"])
            // Nothing ends the host, nothing is taken for the server's fault, and nothing is remembered: the same
            // process logs in as soon as it has enough.
            #expect(run.status == 0, "\(run.all)")
            #expect(run.lines.last == "enough PAM_SUCCESS", "\(run.all)")
            #expect(!run.output.contains("UNAVAIL") && (overTLS || run.output.contains("PAM_SYSTEM_ERR")), "\(run.all)")
            #expect(try machine.counted() == 0)
            withExtendedLifetime(peer) {}
        }

        /// The shortage begins when the answer to the login comes.
        @Test func `a lack of memory to verify an answer is no missing proof`() throws {
            let machine = try Machine.enrolled()
            let peer = try machine.interpose { [directory = machine.directory] exchange, forward in
                let answer = forward(exchange)
                for process in exchange.path == "/mpinDirect" ? Self.probes(directory) : [] {
                    _ = try? Run("/usr/bin/prlimit", ["--pid", process, "--as=4096:"])
                }
                return answer
            }
            defer { peer.stop() }
            for pin in ["4962", "4963"] {
                let run = try machine.probe("try", pins: [pin])
                #expect(run.lines == ["PAM_SYSTEM_ERR"], "\(run.all)")
            }
            #expect(try machine.counted() == 1)
        }

        /// The processes of the probe that log in at a machine.
        private static func probes(_ directory: String) -> [String] {
            let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return all.filter { name in
                guard Int(name) != nil, let line = FileManager.default.contents(atPath: "/proc/\(name)/cmdline") else {
                    return false
                }
                let words = String(decoding: line, as: UTF8.self).split(separator: "\0")
                return words.first.map(String.init) == Probe.program && words.contains("\(directory)/pam.d")
            }
        }

        /// The stack that a login needs is checked before the prompt: the call fails, but not the host. libpam itself
        /// needs 33 KiB in this program.
        @Test(arguments: [40, 48, 64, 96, 256])
        func `a small stack does not end the host`(kibibytes: Int) throws {
            let (machine, peer) = try TLSTests.machineOverTLS()
            let main = try machine.probe(
                "try", pins: ["4962"], service: "tls", by: ["/usr/bin/prlimit", "--stack=\(kibibytes << 10)"])
            let thread = try machine.probe("stack", "\(kibibytes)", pins: ["4962"], service: "tls")
            for run in [main, thread] {
                var codes = kibibytes > 40 ? ["PAM_SUCCESS"] : []
                if kibibytes < 64 { codes.append("PAM_SYSTEM_ERR") }
                #expect(codes.contains(run.lines.first ?? ""), "\(kibibytes): \(run.all)")
            }
            withExtendedLifetime(peer) {}
        }

        @Test func `no address space ends the host`() throws {
            let machine = try Machine.enrolled()
            for megabytes in stride(from: 6, through: 40, by: 1) {
                let run = try machine.probe(
                    "try", pins: ["4962"], by: ["/usr/bin/prlimit", "--as=\(megabytes << 20)"])
                #expect(run.status < 128 && !run.output.contains("UNAVAIL"), "\(megabytes) MiB: \(run.all)")
            }
        }
    }
}
