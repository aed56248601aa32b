// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers
import Testing

extension EndToEnd {
    /// TPMs that are not there, do not answer, or answer nonsense, and libraries that would talk about it.
    @Suite(.enabled(if: EmulatedTPM.program != nil)) struct TPMFaultTests {
        private let digest = String(repeating: "ab", count: 32)
        private let tpm: EmulatedTPM
        private let blob: String

        init() throws {
            tpm = try EmulatedTPM()
            blob = try #require(try TPMCall(tpm.device, "create").results.first)
        }

        @Test func `a silent TPM costs the time that was given, and no more`() throws {
            tpm.fallSilent()
            for milliseconds in [0, 300, 1500] {
                // On a busy machine, a call may end late, but not each time.
                var isInTime = false
                for _ in 1...10 where !isInTime {
                    let call = try TPMCall(tpm.device, "sign", blob, digest, milliseconds: milliseconds)
                    #expect(call.outcome == .noAnswer && call.milliseconds >= milliseconds, "\(call)")
                    isInTime = call.milliseconds <= milliseconds + 200
                }
                #expect(isInTime, "\(milliseconds)")
            }
            tpm.speakAgain()
            #expect(try TPMCall(tpm.device, "sign", blob, digest).outcome == .done)
        }

        @Test func `a device that is no TPM is distinguished from a silent TPM`() throws {
            let fifo = tpm.directory + "/fifo"
            #expect(mkfifo(fifo, 0o600) == 0)
            let cases: [(String, TPMCall.Outcome)] = [
                ("device:/dev/mpin-no-such-device", .absent), ("device:/dev/null", .absent),
                ("device:/etc/passwd", .absent),
                ("device:" + fifo, .absent), ("swtpm:path=/nowhere", .absent), ("swtpm:path=" + fifo, .absent),
                ("swtpm:path=/" + String(repeating: "a", count: 200), .malformed), ("device:null", .malformed),
                ("tabrmd:", .malformed), ("mssim:host=localhost", .malformed), ("cmd:touch /tmp/x", .malformed),
                ("", .malformed), ("swtpm:path=" + tpm.directory, .absent),
            ]
            for (device, outcome) in cases {
                let call = try TPMCall(device, "sign", blob, digest, milliseconds: 500)
                #expect(call.outcome == outcome, "\(device): \(call)")
            }
            tpm.stop()
            #expect(try TPMCall(tpm.device, "sign", blob, digest).outcome == .absent)
        }

        @Test func `a TPM of others is not opened`() throws {
            #expect(chmod(tpm.directory, 0o700) == 0)
            let call = try TPMCall(tpm.device, "sign", blob, digest, launcher: Launcher.nobody)
            #expect(call.outcome == .notPermitted, "\(call)")
        }

        /// A terminal instead of a TPM: the one character device that a test can make, and it never answers.
        @Test func `a device that owes an answer is left open, asked nothing more, and closed when it has answered`()
            throws
        {
            let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            defer { close(master) }
            // TIOCSPTLCK and TIOCGPTN, which are macros.
            var isLocked: Int32 = 0, number: Int32 = -1
            try #require(ioctl(master, 0x4004_5431, &isLocked) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
            let name = "/dev/pts/\(number)"
            let terminal = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
            defer { close(terminal) }
            var settings = termios()
            tcgetattr(terminal, &settings)
            cfmakeraw(&settings)
            tcsetattr(terminal, TCSANOW, &settings)

            let probe = try Background([TPMCall.program, "device:" + name, "400", "sign", blob, digest, "4"])
            func next() throws -> [String] {
                try probe.type("\n")
                return probe.line().split(separator: " ").map(String.init)
            }
            func descriptors() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/\(probe.identifier)/fd").count
            }
            let silent = String(TPMCall.Outcome.noAnswer.rawValue)
            let first = try next()
            #expect(first[0] == silent && Int(first[3]) ?? 0 >= 400, "\(first)")
            let held = try descriptors()
            let second = try next()
            #expect(second[0] == silent && (Int(second[3]) ?? 999) < 350, "\(second)")
            #expect(try descriptors() == held)
            #expect(write(master, "late", 4) == 4)
            // The kernel passes it on when it comes to it.
            sleep(1)
            let third = try next()
            #expect(third[0] == silent && Int(third[3]) ?? 0 >= 400, "\(third)")
            #expect(try descriptors() <= held)
            probe.end()
        }

        @Test func `invalid answers are failures`() throws {
            let answers: [[UInt8]] = [
                [0x80, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0], [0x80, 1, 0, 0, 0, 0, 0, 0, 0, 0],
                [0x80, 1, 0, 0, 0, 10, 0, 0, 0, 0], [0x80, 1, 0, 0, 0, 10, 0, 0, 1, 1],
                [0, 0, 0, 0, 0, 10, 0, 0, 0, 0],
                [0x80, 1, 0, 0, 0, 11, 0, 0, 0, 0, 0, 0], [], Array(repeating: 0xFF, count: 5000),
                [0x80, 2, 0, 0, 16, 0] + Array(repeating: 0xFF, count: 4090),
            ]
            for answer in answers {
                let server = try ScriptedTPM(answer: answer)
                for (verb, extra) in [("sign", [blob, digest]), ("create", []), ("unseal", [blob])] {
                    let call = try TPMCall(
                        Run(TPMCall.program, ["swtpm:path=" + server.path, "2000", verb] + extra))
                    #expect(call.outcome == .failed || call.outcome == .malformed, "\(answer.prefix(12)) \(call)")
                    #expect(call.milliseconds < 1_900)
                }
            }
            // TPM_RC_LOCKOUT, TPM_RC_RETRY.
            for code: UInt8 in [0x21, 0x22] {
                let server = try ScriptedTPM(answer: [0x80, 1, 0, 0, 0, 10, 0, 0, 9, code])
                let call = try TPMCall("swtpm:path=" + server.path, "sign", blob, digest)
                #expect(call.outcome == .busy && call.response == "9" + String(code, radix: 16), "\(call)")
            }
        }

        @Test func `libtss2 logs nothing, wherever the environment sends its log`() throws {
            let other = try EmulatedTPM()
            let log = tpm.directory + "/log"
            let environment = ["TSS2_LOG": "all+trace", "TSS2_LOGFILE": log]
            for device in [tpm.device, other.device, "swtpm:path=/nowhere"] {
                let call = try TPMCall(device, "sign", blob, digest, environment: environment)
                #expect(call.errors.isEmpty && !FileManager.default.fileExists(atPath: log), "\(call)")
                // What the program has set is there again.
                #expect(call.variables == 2)
            }
            #expect(try TPMCall(tpm.device, "sign", blob, digest).variables == 0)
        }

        @Test(.enabled(if: getuid() == 0)) func `nor in a set-uid program`() throws {
            let other = try EmulatedTPM()
            let copy = tpm.directory + "/probe"
            try FileManager.default.copyItem(atPath: TPMCall.program, toPath: copy)
            try #require(chown(copy, 0, 0) == 0 && chmod(copy, 0o4755) == 0)
            let log = tpm.directory + "/log"
            for (device, outcome) in [(tpm.device, TPMCall.Outcome.done), (other.device, .unknownKey)] {
                let call = try TPMCall(
                    device, "sign", blob, digest, program: copy, launcher: Launcher.nobody,
                    environment: ["TSS2_LOG": "all+trace", "TSS2_LOGFILE": log])
                #expect(call.outcome == outcome, "\(call)")
                #expect(call.errors.isEmpty && !FileManager.default.fileExists(atPath: log))
            }
        }
    }
}
