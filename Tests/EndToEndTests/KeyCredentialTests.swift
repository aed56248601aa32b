// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// The sealing key as a credential: what systemd decrypts, and names in the environment.
    @Suite struct KeyCredentialTests {
        /// A server whose key is where systemd stores a unit's credentials.
        private func machine() throws -> (machine: Machine, environment: [String: String]) {
            let machine = try Machine()
            machine.kill()
            let credentials = machine.directory + "/credentials"
            try FileManager.default.createDirectory(atPath: credentials, withIntermediateDirectories: false)
            try FileManager.default.moveItem(
                atPath: machine.directory + "/server/seal.key", toPath: credentials + "/seal.key")
            // As systemd leaves it: for one user of the unit by an access list, which shows as a mode for the group.
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o440], ofItemAtPath: credentials + "/seal.key")
            return (machine, ["CREDENTIALS_DIRECTORY": credentials])
        }

        private func administer(
            _ machine: Machine, _ environment: [String: String], _ arguments: String...
        ) throws -> Run {
            try Run(
                Products.server, arguments + ["--dir", machine.directory + "/server"], environment: environment)
        }

        @Test func `a key that is a credential opens the server`() throws {
            let (machine, environment) = try machine()
            let run = try administer(machine, environment, "invite", "alice")
            #expect(run.status == 0, "\(run.all)")
        }

        @Test func `without the credential the key is missing`() throws {
            let (machine, _) = try machine()
            let run = try administer(machine, [:], "invite", "alice")
            #expect(run.status == 78 && run.errors.contains("seal.key is missing"), "\(run.all)")
        }

        @Test func `another key opens nothing`() throws {
            let (machine, environment) = try machine()
            let key = machine.directory + "/credentials/seal.key"
            try FileManager.default.removeItem(atPath: key)
            try Data(repeating: 7, count: 32).write(to: URL(fileURLWithPath: key))
            let run = try administer(machine, environment, "invite", "alice")
            #expect(run.status != 0 && run.errors.contains("The credential does not belong to"), "\(run.all)")
        }

        @Test func `a credential is neither rotated nor copied`() throws {
            let (machine, environment) = try machine()
            for run in [
                try administer(machine, environment, "rotate"),
                try administer(machine, environment, "backup", machine.directory + "/copy", "--with-key"),
            ] {
                #expect(run.status == 77 && run.errors.contains("systemd-creds decrypt"), "\(run.all)")
            }
            #expect(!FileManager.default.fileExists(atPath: machine.directory + "/copy"))
            let copy = try administer(machine, environment, "backup", machine.directory + "/copy")
            #expect(copy.status == 0, "\(copy.all)")
        }
    }
}
