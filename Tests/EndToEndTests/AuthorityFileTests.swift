// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// The file that `ca_file` names decides which servers are trusted.
    @Suite struct AuthorityFileTests {
        enum Fault: String, CaseIterable, Sendable {
            case openMode, groupMode, pipe, link, directory, huge, missing, openParent
        }

        @Test(arguments: Fault.allCases)
        func `one that others could have written denies`(_ fault: Fault) throws {
            let (machine, peer) = try TLSTests.machineOverTLS()
            let path = peer.certificate
            #expect(try machine.pam("authenticate", service: "tls", typing: ["4962"]).status == 0)
            switch fault {
            case .openMode: #expect(chmod(path, 0o666) == 0)
            case .groupMode: #expect(chmod(path, 0o664) == 0)
            case .pipe: #expect(unlink(path) == 0 && mkfifo(path, 0o600) == 0)
            case .link: #expect(rename(path, path + ".real") == 0 && symlink(path + ".real", path) == 0)
            case .directory: #expect(unlink(path) == 0 && mkdir(path, 0o700) == 0)
            case .huge: #expect(truncate(path, 1 << 21) == 0)
            case .missing: #expect(unlink(path) == 0)
            case .openParent: #expect(chmod(machine.directory, 0o777) == 0)
            }
            // Whoever opened a pipe would wait for ever.
            let run = try machine.pam("authenticate", service: "tls", typing: ["4962"])
            #expect(run.all.contains(PAMText.serviceError), "\(run.all)")
            #expect(chmod(machine.directory, 0o755) == 0)
        }

        @Test func `one without a certificate is this machines fault`() throws {
            let (machine, peer) = try TLSTests.machineOverTLS()
            try machine.write("no certificate\n", to: "/good.pem")
            let run = try machine.pam("authenticate", service: "tls", typing: ["4962"])
            #expect(run.all.contains(PAMText.systemError) && run.all.contains("ca_file"), "\(run.all)")
            // Another authority's is one that does not vouch for this server.
            let other = try TLSTests.Peer(machine, name: "other")
            try machine.write(String(contentsOfFile: other.certificate, encoding: .utf8), to: "/good.pem")
            let refused = try machine.pam("authenticate", service: "tls", typing: ["4962"])
            #expect(refused.all.contains(PAMText.unavailable), "\(refused.all)")
            #expect(refused.all.contains("Neither a trusted CA"), "\(refused.all)")
            _ = peer.port
        }

        /// The flags of a process's TCP sockets, known by their inodes; libcurl has other sockets, which lead nowhere.
        private func connections(of process: Int32) throws -> [String] {
            let directory = "/proc/\(process)"
            // To its end: a String of the file would hold its first page, without the connections that are beyond it.
            let table = try FileHandle(forReadingAtPath: directory + "/net/tcp")?.readToEnd() ?? Data()
            let inodes = String(decoding: table, as: UTF8.self)
                .split(separator: "\n").compactMap { $0.split(separator: " ").dropFirst(9).first }
            return try FileManager.default.contentsOfDirectory(atPath: directory + "/fd").compactMap { number in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: directory + "/fd/" + number)
                guard let target, inodes.contains(where: { target == "socket:[\($0)]" }),
                    let facts = try? String(contentsOfFile: directory + "/fdinfo/" + number, encoding: .utf8)
                else { return nil }
                return facts.split(separator: "\n").first { $0.hasPrefix("flags:") }?.split(separator: "\t").last
                    .map(String.init)
            }
        }

        @Test func `no program inherits a connection`() throws {
            let (machine, peer) = try TLSTests.machineOverTLS()
            machine.pause()
            let probe = try Background([
                Probe.program, "try", machine.directory + "/pam.d", "tls", machine.account, machine.pinFile("4962"),
            ])
            var flags: [String] = []
            // The program ends at its own deadline, with the server silent.
            while flags.isEmpty, probe.isRunning {
                usleep(20_000)
                flags = (try? connections(of: probe.identifier)) ?? []
            }
            #expect(!flags.isEmpty)
            for flags in flags { #expect((Int(flags, radix: 8) ?? 0) & 0o2000000 != 0, "\(flags)") }
            machine.resume()
            withExtendedLifetime(peer) { _ = probe.status() }
        }
    }
}
