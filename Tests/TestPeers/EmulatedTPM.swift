// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A TPM 2.0 in software, `swtpm`, in a process of its own. Its directory decides which TPM it is.
package final class EmulatedTPM: @unchecked Sendable {
    /// Where Debian puts it; nil where it is not installed.
    package static let program: String? = {
        let found = FileManager.default.isExecutableFile(atPath: "/usr/bin/swtpm") ? "/usr/bin/swtpm" : nil
        if found == nil { print("note: there is no swtpm, and what needs a TPM was left out") }
        return found
    }()

    package let directory: String
    private var process: Process?

    /// A new TPM, which knows no key.
    package init() throws {
        directory = "/tmp/mpin-tpm-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        try start()
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    package var socket: String { directory + "/socket" }
    /// Its name as the configuration has it.
    package var device: String { "swtpm:path=" + socket }

    package func start() throws {
        guard let program = Self.program else { throw CocoaError(.fileNoSuchFile) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [
            "socket", "--tpm2", "--tpmstate", "dir=" + directory, "--server", "type=unixio,path=" + socket, "--flags",
            "not-need-init,startup-clear",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = process
        // Its file exists before it accepts connections.
        for _ in 0..<12_000 {
            if (try? leftObjects()) != nil { return }
            usleep(10_000)
        }
    }

    /// Switches it off, as with the machine.
    package func stop() {
        guard let process else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        self.process = nil
        unlink(socket)
    }

    /// Stops its answers, and resumes them.
    package func fallSilent() { if let process { kill(process.processIdentifier, SIGSTOP) } }
    package func speakAgain() { if let process { kill(process.processIdentifier, SIGCONT) } }

    /// Clears it as the firmware's menu does: it loses all its keys.
    package func clear() throws { try check(Self.authorized(0x126, handles: [0x4000_000A], [])) }

    /// Keeps a storage key of another template than ours where a set-up TPM has its own; with `fit` false one that can
    /// store nothing.
    package func keepForeignParent(fit: Bool = true) throws {
        let attributes: [UInt8] = fit ? [0, 3, 4, 0x72] : [0, 4, 4, 0x72]
        let cipher: [UInt8] = fit ? [0, 6, 0, 0x80, 0, 0x43] : [0, 0x10]
        let number: [UInt8] = [0, 32] + [UInt8](repeating: 0, count: 32)
        let area: [UInt8] =
            [0, 0x23, 0, 0xB] + attributes + [0, 0] + cipher + [0, 0x10, 0, 3, 0, 0x10] + number + number
        let creation: [UInt8] = [0, 4, 0, 0, 0, 0] + [UInt8(area.count >> 8), UInt8(area.count & 0xFF)] + area
        let made = try check(Self.authorized(0x131, handles: [0x4000_0001], creation + [0, 0, 0, 0, 0, 0]))
        let handle = made[10..<14].reduce(0) { $0 << 8 | UInt32($1) }
        try check(Self.authorized(0x120, handles: [0x4000_0001, handle], Self.bytes(0x8100_0001)))
        try check([0x80, 1, 0, 0, 0, 14] + Self.bytes(0x165) + Self.bytes(handle))
    }

    /// Removes it again.
    package func dropKeptParent() throws {
        try check(Self.authorized(0x120, handles: [0x4000_0001, 0x8100_0001], Self.bytes(0x8100_0001)))
    }

    /// The number of objects that were not flushed.
    package func leftObjects() throws -> Int {
        let answer = try check(
            [0x80, 1, 0, 0, 0, 22] + Self.bytes(0x17A) + Self.bytes(1) + Self.bytes(0x8000_0000) + Self.bytes(16))
        return Int(answer[18])
    }

    /// A command with the empty password of a hierarchy, or of the lockout.
    private static func authorized(_ code: UInt32, handles: [UInt32], _ parameters: [UInt8]) -> [UInt8] {
        let password: [UInt8] = [0, 0, 0, 9, 0x40, 0, 0, 9, 0, 0, 0, 0, 0]
        let rest = bytes(code) + handles.flatMap(bytes) + password + parameters
        return [0x80, 2] + bytes(UInt32(rest.count + 6)) + rest
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    @discardableResult private func check(_ command: [UInt8]) throws -> [UInt8] {
        let answer = try send(command)
        guard answer.count >= 10, answer[6..<10].allSatisfy({ $0 == 0 }) else { throw Refused(answer: answer) }
        return answer
    }

    /// The TPM's refusal of a command.
    private struct Refused: Error { let answer: [UInt8] }

    private func send(_ command: [UInt8]) throws -> [UInt8] {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        let connected = SocketAddress.file(socket).pass { connect(descriptor, $0, $1) }
        guard connected == 0, write(descriptor, command, command.count) == command.count else {
            throw CocoaError(.fileReadUnknown)
        }
        var answer = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &answer, answer.count)
        return Array(answer.prefix(max(0, count)))
    }
}
