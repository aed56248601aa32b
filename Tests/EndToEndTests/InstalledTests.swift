// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// What `scripts/build` makes for people to install: stripped, on its own, with a server that speaks TLS itself.
    @Suite struct InstalledTests {
        /// The directory of what scripts/build makes, or nil if it is not to be tested.
        private static let build: String? = {
            if let build = ProcessInfo.processInfo.environment["MPIN_INSTALLED"], !build.isEmpty { return build }
            print("note: the test of what scripts/build makes is left out; MPIN_INSTALLED names its directory")
            return nil
        }()

        @Test(.enabled(if: build != nil)) func `enroll and log in over the servers own TLS`() throws {
            let build = try #require(Self.build)
            let machine = try Machine(isServing: false)
            let certificate = machine.directory + "/server.pem", key = machine.directory + "/server.key"
            try Certificate.make(certificate, key: key)
            let port = Int.random(in: 20_000..<32_000)
            let server = try Background([
                build + "/mpin-server", "serve", "--dir", machine.directory + "/server", "--listen",
                "127.0.0.1:\(port)", "--tls-cert", certificate, "--tls-key", key,
            ])
            defer { server.kill() }
            try server.requireLine("ready")

            let url = "https://localhost:\(port)"
            let code = try #require(
                try Run(build + "/mpin-server", ["invite", "alice", "--dir", machine.directory + "/server", "--json"])
                    .json()["code"] as? String)
            let common = [
                "--server", url, "--ca-file", certificate, "--store", machine.store, "--user", machine.account,
                "--identity", "alice", "--config", machine.directory + "/mpin.conf", "--no-input", "--pin-file", "-",
                "--timeout", "60",
            ]
            let enrolled = try Run(build + "/mpin-enroll", ["register", "--code", code] + common, input: "4962")
            #expect(enrolled.status == 0, "\(enrolled.errors)")
            #expect(try Run(build + "/mpin-enroll", ["test"] + common, input: "4963").status == 81)

            try machine.service(
                "installed",
                "\(build)/pam_mpin.so method=pin conf=\(machine.directory)/mpin.conf store=\(machine.store) server=\(url) "
                    + "ca_file=\(certificate)")
            #expect(try machine.pam("authenticate", service: "installed", typing: ["4962"]).status == 0)
            #expect(try machine.pam("authenticate", service: "installed", typing: ["4963"]).status != 0)
        }
    }
}
