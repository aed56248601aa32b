// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers
import Testing

extension EndToEnd {
    /// Environment variables set by an attacker, in set-uid hosts.
    @Suite struct HostileEnvironmentTests {
        /// A proxy to which no request may be sent.
        private final class Trap {
            let port: Int
            private let descriptor: Int32

            init() throws {
                (descriptor, port) = try #require(SocketAddress.listener())
                _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            }

            deinit { close(descriptor) }

            /// Whether a client has connected.
            var wasVisited: Bool {
                let visitor = accept(descriptor, nil, nil)
                if visitor >= 0 { close(visitor) }
                return visitor >= 0
            }
        }

        /// Everything that libraries and runtimes are known to look for.
        private func environment(_ machine: Machine, _ trap: Trap) -> [String: String] {
            let home = machine.directory + "/home"
            var variables = [
                "SSLKEYLOGFILE": home + "/keys", "SSL_CERT_FILE": "/dev/null", "SSL_CERT_DIR": home,
                "CURL_CA_BUNDLE": "/dev/null", "CURL_HOME": home, "HOME": home, "XDG_CONFIG_HOME": home,
                "NETRC": home + "/.netrc", "OPENSSL_CONF": home + "/openssl.cnf", "OPENSSL_MODULES": home,
                "OPENSSL_ENGINES": home, "TMPDIR": home, "LOCALDOMAIN": "example.org", "RES_OPTIONS": "debug",
                "SWIFT_DEBUG_HELP": "1", "SWIFT_BACKTRACE": "enable=yes,output-to=\(home)/trace",
                "SWIFT_DEBUG_ENABLE_COW_CHECKS": "1", "LD_DEBUG": "all", "LD_DEBUG_OUTPUT": home + "/loader",
                "LD_PRELOAD": home + "/evil.so", "LD_LIBRARY_PATH": home, "LD_AUDIT": home + "/evil.so",
                "GCONV_PATH": home, "MALLOC_TRACE": home + "/malloc", "P11_KIT_DEBUG": "all",
                "CURL_ENTROPY": "1", "GNUTLS_DEBUG_LEVEL": "9",
            ]
            for name in ["http_proxy", "https_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"] {
                variables[name] = "http://127.0.0.1:\(trap.port)"
            }
            return variables
        }

        private func prepare(_ machine: Machine, account: String? = nil) throws -> TLSTests.Peer {
            let peer = try TLSTests.Peer(machine, name: "good")
            try machine.register(at: peer, account: account)
            try machine.service("tls", at: peer)
            let home = machine.directory + "/home"
            try #require(mkdir(home, 0o777) == 0 && chmod(home, 0o777) == 0)
            try Data("proxy = http://127.0.0.1:1\n".utf8).write(to: URL(fileURLWithPath: home + "/.curlrc"))
            try Data("nonsense = [\n".utf8).write(to: URL(fileURLWithPath: home + "/openssl.cnf"))
            return peer
        }

        @Test(.enabled(if: isRoot))
        func `steers nothing in a set user ID host`() throws {
            let machine = try Machine()
            let peer = try prepare(machine, account: "nobody")
            let host = try machine.setUserIDProbe()
            let trap = try Trap()
            let home = machine.directory + "/home"
            let run = try machine.probe(
                "try", pins: ["4962", "4963", "4962"], service: "tls", user: "nobody", program: host.program,
                by: host.launcher + ["/usr/bin/env"] + environment(machine, trap).map { $0 + "=" + $1 })
            #expect(run.status == 0)
            // No library prints anything else.
            #expect(run.lines == ["PAM_SUCCESS", "PAM_AUTH_ERR", "PAM_SUCCESS"], "\(run.all)")
            #expect(run.errors.isEmpty, "\(run.errors)")
            #expect(!trap.wasVisited, "a request went to the proxy")
            let files = try FileManager.default.contentsOfDirectory(atPath: home).sorted()
            #expect(files == [".curlrc", "openssl.cnf"], "\(files)")
            _ = peer.port
        }

        @Test func `steers no transfer in any host`() throws {
            let machine = try Machine()
            let peer = try prepare(machine)
            let trap = try Trap()
            // What steers the loader, libcrypto and libcurl's other libraries is the decision of the host's owner.
            let variables = environment(machine, trap).filter {
                !$0.key.hasPrefix("LD_") && !["OPENSSL_CONF", "P11_KIT_DEBUG", "GNUTLS_DEBUG_LEVEL"].contains($0.key)
            }
            let run = try machine.probe("try", pins: ["4962", "4963", "4962"], service: "tls", environment: variables)
            #expect(run.lines == ["PAM_SUCCESS", "PAM_AUTH_ERR", "PAM_SUCCESS"], "\(run.all)")
            #expect(run.errors.isEmpty, "\(run.errors)")
            #expect(!trap.wasVisited, "a request went to the proxy")
            _ = peer.port
        }
    }
}
