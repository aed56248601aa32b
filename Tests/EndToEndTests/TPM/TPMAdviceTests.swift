// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers
import Testing

extension EndToEnd {
    /// Messages about a TPM that cannot be used, and about the place of the key instead.
    @Suite(.enabled(if: EmulatedTPM.program != nil)) struct TPMAdviceTests {
        private let tpm: EmulatedTPM
        private let machine: Machine

        init() throws {
            tpm = try EmulatedTPM()
            machine = try Machine()
            try use()
        }

        private func use(_ more: String = "") throws {
            try machine.write("[store]\ntpm_device = \(tpm.device)\n\(more)", to: "/mpin.conf")
        }

        private func register(_ options: String..., environment: [String: String] = [:]) throws -> Run {
            try Run(
                Products.enroll,
                machine.call("register")
                    + options + ["--no-input", "--code", machine.invitation(), "--pin-file", machine.pinFile("4962")],
                environment: environment)
        }

        /// The findings about the TPM.
        private func doctor(_ environment: [String: String] = [:]) throws -> [[String: Any]] {
            let call = ["doctor", "--json", "--config", machine.directory + "/mpin.conf", "--store", machine.store]
            let run = try Run(Products.enroll, call, environment: environment)
            let checks = try #require(run.json()["checks"] as? [[String: Any]], "\(run.all)")
            return checks.filter { $0["area"] as? String == "tpm" }
        }

        private func expect(
            _ findings: [[String: Any]], _ grade: String, _ sentence: String, _ hint: String? = nil,
            _ location: SourceLocation = #_sourceLocation
        ) {
            let found = findings.first { ($0["message"] as? String ?? "").contains(sentence) }
            #expect(found?["grade"] as? String == grade, "\(findings)", sourceLocation: location)
            guard let hint else { return }
            #expect((found?["hint"] as? String ?? "").contains(hint), "\(findings)", sourceLocation: location)
        }

        @Test func `an enrollment reports where the key is, and why`() throws {
            try use("tpm = auto\n")
            let inTPM = try register()
            #expect(
                inTPM.status == 0 && inTPM.output.contains("The device key is in the TPM of this machine."),
                "\(inTPM.all)")
            tpm.stop()
            let recovered = try Run(
                Products.enroll,
                machine.call("recover") + [
                    "--no-input", "--code", machine.invitation(), "--pin-file", machine.pinFile("7385"),
                ])
            #expect(recovered.status == 0, "\(recovered.all)")
            #expect(
                recovered.output.contains("The device key is in a file, not in the TPM. ")
                    && recovered.output.contains("This machine has no TPM."),
                "\(recovered.all)")
        }

        @Test func `without tpm in the configuration, nothing is reported about the TPM`() throws {
            let plain = try register()
            #expect(plain.status == 0 && !plain.output.contains("device key"), "\(plain.all)")
            #expect(try doctor().isEmpty)
        }

        @Test func `a required but missing TPM has a hint that works`() throws {
            tpm.stop()
            let absent = try register("--tpm")
            #expect(
                absent.status == 72
                    && absent.errors.contains("This machine has no TPM. The enrollment was not started."),
                "\(absent.all)")
            #expect(!absent.errors.contains("holds") && absent.errors.contains("ls -l /dev/tpm"), "\(absent.all)")
            #expect(
                absent.errors.contains("\nOr keep the device key in a file: mpin-enroll register --"), "\(absent.all)")
        }

        /// A file that the loader finds instead of the library.
        private func covered(by content: String?) throws -> [String: String] {
            let directory = machine.directory + "/libraries"
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            if let content { try machine.write(content, to: "/libraries/libtss2-esys.so.0") }
            return ["LD_LIBRARY_PATH": directory]
        }

        @Test func `a library that cannot be loaded is not called missing`() throws {
            let broken = try register("--tpm", environment: covered(by: "no library"))
            #expect(broken.status == 72 && broken.errors.contains("is installed but cannot be loaded"), "\(broken.all)")
            #expect(broken.errors.contains("--reinstall libtss2-esys-3.0.2-0"), "\(broken.all)")
            #expect(!broken.errors.contains("not installed"), "\(broken.all)")
        }

        @Test func `doctor checks the TPM if it is used, and each key in it`() throws {
            try #require(try register("--tpm").status == 0)
            let good = try doctor()
            expect(good, "ok", "The TPM creates keys and signs.")
            expect(good, "ok", "The TPM has the device key of")
            #expect(try tpm.leftObjects() == 0)
            expect(try doctor(covered(by: "no library")), "fault", "cannot be loaded", "--reinstall")
            tpm.fallSilent()
            expect(try doctor(), "fault", "does not answer.", "Try again")
            tpm.speakAgain()
            try tpm.clear()
            let cleared = try doctor()
            expect(cleared, "ok", "The TPM creates keys and signs.")
            expect(cleared, "fault", "The TPM does not have the device key of", "mpin-enroll recover --user")
            tpm.stop()
            expect(
                try doctor(), "fault", "This machine has no TPM. Users whose device key is in the TPM", "ls -l /dev/tpm"
            )
        }

        @Test func `an impossible device name is not reported as a lost key`() throws {
            try #require(try register("--tpm").status == 0)
            let name = "device:/dev/" + String(repeating: "x", count: 300)
            try machine.write("[store]\ntpm_device = \(name)\n", to: "/mpin.conf")
            expect(try doctor(), "fault", "This machine has no TPM.", "tpm_device")
            let login = try machine.enroll("test", pin: "4962")
            #expect(login.status == 72 && !login.all.contains("does not have the device key"), "\(login.all)")
        }

        @Test func `a limit of open files is not reported as a broken library`() throws {
            try #require(try register("--tpm").status == 0)
            for limit in 5...9 {
                let run = try Run(
                    "/usr/bin/prlimit",
                    ["--nofile=\(limit)", Products.enroll] + machine.call("test") + [
                        "--pin-file", machine.pinFile("4962"),
                    ])
                #expect(!run.all.contains("--reinstall") && !run.all.contains("owner and mode"), "\(run.all)")
            }
        }

        @Test func `a missing optional TPM is not a fault`() throws {
            try use("tpm = auto\n")
            tpm.stop()
            expect(try doctor(), "warning", "New enrollments keep their device keys in files", "tpm_device")
        }
    }
}
