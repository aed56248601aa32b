// SPDX-License-Identifier: Apache-2.0
import Foundation
import ManualPages
import Testing

extension EndToEnd {
    /// The module reads a configuration with every option of the manual.
    @Suite struct EveryOptionTests {
        private let machine: Machine
        private let peer: TLSTests.Peer
        /// One valid value for each option.
        private let values: [String: String]

        init() throws {
            machine = try Machine()
            peer = try TLSTests.Peer(machine, name: "good")
            values = [
                "server": peer.url, "ca_file": peer.certificate, "tls_pin": try peer.keyHash(), "server_user": "root",
                "timeout": "60", "store": machine.store, "agent": "none", "tpm": "auto",
                "tpm_device": "device:/dev/tpmrm0", "prompt": "\"Say it: \"", "tries": "2", "guard_last": "no",
                "ignore_unenrolled": "yes", "unavailable_in_setuid": "report", "user_map": "%u@example.org",
                "method": "pin", "local_services": "login, vlock", "sudo_over_ssh": "pin", "debug": "yes",
                "old_server": "yes", "server_key": String(repeating: "3f", count: 32),
            ]
            try machine.service("mpin", "\(Products.module) conf=\(machine.directory)/mpin.conf")
        }

        /// Writes the configuration, with other values for some options.
        private func configure(_ others: [String: String] = [:]) throws {
            let lines = values.merging(others) { $1 }.map { "\($0) = \($1)\n" }
            try machine.write(lines.joined(), to: "/mpin.conf")
        }

        @Test func `logs in with all of them`() throws {
            let names = try ManualPage("mpin.conf.5").items(in: "DESCRIPTION").map { String($0.trimmingPrefix("Cm ")) }
            #expect(Set(names) == Set(values.keys))
            let identity = machine.account + "@example.org"
            try machine.register(at: peer, identity: identity)

            try configure()
            let right = try machine.pam("authenticate", typing: ["4962"])
            #expect(right.all.contains("Say it: ") && right.all.contains(PAMText.success), "\(right.all)")
            let second = try machine.pam("authenticate", typing: ["4963", "4962"])
            #expect(second.all.contains(PAMText.success), "\(second.all)")

            // Each of them has its effect.
            for (option, value, result) in [
                ("tls_pin", "sha256//" + String(repeating: "A", count: 44), "The certificate's key is not in tls_pin"),
                ("ca_file", "/etc/hostname", "ca_file"), ("server", "https://localhost:1", PAMText.unknownUser),
                ("store", "/nonexistent/store", PAMText.unknownUser), ("user_map", "other-%u", PAMText.unknownUser),
                ("prompt", "\"Now: \"", "Now: "), ("method", "device", PAMText.serviceError),
                ("tpm_device", "tpm0", PAMText.serviceError),
            ] {
                try configure([option: value])
                let run = try machine.pam("authenticate", typing: ["4962"])
                #expect(run.all.contains(result), "\(option) = \(value): \(run.all)")
            }
        }
    }
}
