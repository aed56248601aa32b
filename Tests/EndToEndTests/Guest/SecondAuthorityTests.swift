// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import MPinWire
import TestPeers
import Testing

extension EndToEnd {
    /// Logins whose time permit comes from a second authority on another host.
    @Suite struct SecondAuthorityTests {
        private let place = "https://127.0.0.1:1/dta"

        /// A machine with an enrollment, whose second authority cannot be reached any more.
        private func machine() throws -> OldMachine {
            let machine = try OldMachine()
            try machine.register()
            machine.server.extensions = [.secondAuthority]
            machine.server.secondAuthority = place
            try FileManager.default.removeItem(atPath: machine.directory + "/store/cache/\(machine.account).json")
            return machine
        }

        @Test func `the commands name the second authority that cannot be reached`() throws {
            let machine = try machine()
            let test = try machine.enroll("test", "--pin-file", machine.pinFile("4962"))
            let sentence = "\(place) cannot be reached. It is the second authority of \(machine.peer.url)."
            #expect(test.status == 69 && test.errors.contains(sentence), "\(test.all)")
            #expect(test.errors.contains("Ask the administrator of \(machine.peer.url)."), "\(test.errors)")

            let doctor = try machine.enroll("doctor", "--json")
            let findings = try #require(try doctor.json()["checks"] as? [[String: Any]])
            let messages = findings.filter { $0["area"] as? String == "server" }.map {
                "\($0["grade"] ?? "") \($0["message"] ?? "")"
            }
            #expect(messages.contains("ok \(machine.peer.url) answers."), "\(messages)")
            #expect(messages.contains { $0.hasPrefix("fault " + sentence) }, "\(messages)")
        }

        @Test func `the module names it too`() throws {
            let machine = try machine()
            try FileManager.default.createDirectory(
                atPath: machine.directory + "/pam.d", withIntermediateDirectories: false)
            let line =
                "auth required \(Products.module) method=pin conf=\(machine.directory)/mpin.conf store=\(machine.directory)/store "
                + "server=\(machine.peer.url)\n"
            for name in ["mpin", "other"] {
                try Data(line.utf8).write(to: URL(fileURLWithPath: machine.directory + "/pam.d/" + name))
            }
            let run = try Run(
                "/usr/bin/pamtester", ["mpin", machine.account, "authenticate"], input: "4962\n",
                environment: [
                    "LD_PRELOAD": "libpam_wrapper.so", "PAM_WRAPPER": "1",
                    "PAM_WRAPPER_SERVICE_DIR": machine.directory + "/pam.d",
                ])
            #expect(run.status != 0, "\(run.all)")
            #expect(
                run.all.contains("\(place): The server cannot be reached.\nYour PIN was not checked."), "\(run.all)")
        }
    }
}
