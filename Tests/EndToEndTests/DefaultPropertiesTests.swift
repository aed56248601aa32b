// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// A configuration of OpenSSL that requires what no provider of this machine has.
    @Suite struct DefaultPropertiesTests {
        private static let sentence = "o provider of OpenSSL meets the default properties in openssl.cnf"

        private func settings(_ machine: Machine, _ properties: String) throws -> [String: String] {
            try machine.write(
                "openssl_conf = own\n[own]\nalg_section = properties\n[properties]\ndefault_properties = \(properties)\n",
                to: "/openssl.cnf")
            return ["OPENSSL_CONF": machine.directory + "/openssl.cnf"]
        }

        @Test(arguments: ["fips=yes", "provider=absent"])
        func `each program says what is missing`(properties: String) throws {
            let machine = try Machine.enrolled()
            let environment = try settings(machine, properties)
            let test = try Run(
                Products.enroll, machine.call("test") + ["--no-input", "--pin-file", machine.pinFile("4962")],
                environment: environment)
            #expect(test.status == 70 && test.errors.contains(Self.sentence), "\(test.all)")
            let initialized = try Run(
                Products.server, ["init", "--dir", machine.directory + "/other"], environment: environment)
            #expect(initialized.status == 70 && initialized.errors.contains(Self.sentence), "\(initialized.all)")
            machine.kill()
            let served = try Run(
                Products.server,
                ["serve", "--dir", machine.directory + "/server", "--listen", "unix:" + machine.directory + "/o.sock"],
                environment: environment)
            #expect(served.status != 0 && served.errors.contains(Self.sentence), "\(served.all)")
            try machine.start()
            let doctor = try Run(Products.enroll, machine.call("doctor") + ["--json"], environment: environment)
            let checks = try #require(try doctor.json()["checks"] as? [[String: Any]])
            let check = checks.first { ($0["message"] as? String)?.contains(Self.sentence) == true }
            #expect(doctor.status == 1 && check?["grade"] as? String == "fault", "\(doctor.all)")
            // Nothing of the code can be derived then.
            let peer = try TLSTests.Peer(machine, name: "good")
            let shown = try Run(
                Products.enroll,
                machine.call("register", "--code", "AAAA-BBBB-CCCC-DDDD", at: peer, store: machine.directory + "/other")
                    + ["--no-input", "--pin-file", machine.pinFile("4962")], environment: environment)
            #expect(shown.status == 70 && shown.errors.contains(Self.sentence), "\(shown.all)")
            // The PIN was not checked, and the module refuses the login.
            let login = try machine.pam("authenticate", typing: ["4962"], environment: environment)
            #expect(login.status != 0 && login.all.contains(PAMText.systemError), "\(login.all)")
            #expect(try machine.counted() == 0)
        }

        @Test func `properties that can be met change nothing`() throws {
            let machine = try Machine.enrolled()
            let environment = try settings(machine, "provider=default")
            #expect(try machine.pam("authenticate", typing: ["4962"], environment: environment).status == 0)
            let doctor = try Run(Products.enroll, machine.call("doctor"), environment: environment)
            #expect(!doctor.output.contains("OpenSSL"), "\(doctor.all)")
        }
    }
}
