// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers
import Testing

extension EndToEnd {
    /// Registrations whose key is in the TPM: a copy of the store is useless without it.
    @Suite(.enabled(if: EmulatedTPM.program != nil)) struct DeviceKeyInTPMTests {
        private let tpm: EmulatedTPM
        private let machine: Machine

        init() throws {
            tpm = try EmulatedTPM()
            machine = try Machine()
            try use(tpm)
        }

        private func use(_ tpm: EmulatedTPM, more: String = "") throws {
            try machine.write("[store]\ntpm_device = \(tpm.device)\n\(more)", to: "/mpin.conf")
        }

        private func register(_ options: String...) throws -> Run {
            try machine.enroll("register", options: options + ["--code", machine.invitation()], pin: "4962")
        }

        private func record() throws -> String { try String(contentsOfFile: machine.record, encoding: .utf8) }

        @Test
        func `the TPM signs the logins, and the record has nothing to sign with`() throws {
            let registered = try register("--tpm")
            #expect(registered.status == 0, "\(registered.all)")
            #expect(try record().contains("tpmKey") && !record().contains("deviceSecret"))
            #expect(try machine.pam("authenticate", typing: ["4962"]).status == 0)
            #expect(try machine.pam("authenticate", typing: ["4963"]).status != 0)
            #expect(try machine.counted() == 1)
            #expect(try tpm.leftObjects() == 0)
        }

        @Test func `a thief with a copy of the disk cannot guess a single PIN`() throws {
            try #require(try register("--tpm").status == 0)
            let thief = try EmulatedTPM()
            try use(thief)
            for pin in ["4962", "0000"] {
                let guess = try machine.enroll("test", pin: pin)
                #expect(guess.status == 84 && guess.errors.contains("does not have the device key"))
                let login = try machine.pam("authenticate", typing: [pin])
                #expect(login.status != 0 && login.all.contains("mpin-enroll recover"), "\(login.all)")
            }
            #expect(try machine.counted() == 0)
            // With the right TPM, the failure has no consequences.
            try use(tpm)
            #expect(try machine.enroll("test", pin: "4962").status == 0)
        }

        @Test func `after the TPM was cleared only a recovery works`() throws {
            try #require(try register("--tpm").status == 0)
            try tpm.clear()
            let lost = try machine.enroll("test", pin: "4962")
            #expect(lost.status == 84 && lost.errors.contains("recover"), "\(lost.all)")
            let recovered = try machine.enroll(
                "recover", options: ["--tpm", "--code", machine.invitation()], pin: "7385")
            #expect(recovered.status == 0, "\(recovered.all)")
            #expect(try record().contains("tpmKey"))
            #expect(try machine.enroll("test", pin: "7385").status == 0)
        }

        @Test func `a TPM that does not answer ends the login in time`() throws {
            try #require(try register("--tpm").status == 0)
            tpm.fallSilent()
            let start = ContinuousClock.now
            let login = try machine.pam("authenticate", typing: ["4962"])
            #expect(login.status != 0 && login.all.contains(PAMText.systemError), "\(login.all)")
            let test = try machine.enroll("test", "--timeout", "2", pin: "4962")
            #expect(test.status == 69 && test.errors.contains("does not answer"), "\(test.all)")
            #expect(ContinuousClock.now - start < .seconds(60))
            tpm.speakAgain()
            #expect(try machine.counted() == 0)
        }

        @Test func `without a TPM a demand for one fails early, and automatic uses none`() throws {
            tpm.stop()
            let demanded = try register("--tpm")
            #expect(demanded.status != 0 && demanded.errors.contains("This machine has no TPM."), "\(demanded.all)")
            #expect(!FileManager.default.fileExists(atPath: machine.record))
            let user = try machine.administer("user", "show", "alice", "--json").json()
            #expect((user["devices"] as? [[String: Any]] ?? []).isEmpty)
            try use(tpm, more: "tpm = auto\n")
            let automatic = try register()
            #expect(automatic.status == 0, "\(automatic.all)")
            #expect(try !record().contains("tpmKey") && record().contains("deviceSecret"))
        }

        @Test func `automatic uses an existing TPM`() throws {
            try use(tpm, more: "tpm = auto\n")
            #expect(try register().status == 0)
            #expect(try record().contains("tpmKey"))
        }

        /// A changed character of the blob or of the public half is found in the file, and asks no TPM and no server.
        @Test(arguments: ["tpmKey", "deviceKey"]) func `a damaged key is set aside`(member: String) throws {
            try #require(try register("--tpm").status == 0)
            var text = try record()
            let start = try #require(text.range(of: "\"\(member)\":\"")).upperBound
            let place = text.index(start, offsetBy: 40)
            text.replaceSubrange(place...place, with: text[place] == "0" ? "1" : "0")
            try Data(text.utf8).write(to: URL(fileURLWithPath: machine.record))
            #expect(try machine.pam("authenticate", typing: ["4962"]).status != 0)
            #expect(try machine.counted() == 0)
        }
    }
}
