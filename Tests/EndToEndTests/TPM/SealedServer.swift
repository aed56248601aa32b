// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers
import Testing

/// A server whose key is sealed to an emulated TPM, in a directory of its own.
final class SealedServer: @unchecked Sendable {
    let tpm: EmulatedTPM
    let directory: String
    let recoveryKey: String
    let recoveryName: String
    private var process: Background?

    init(_ tpm: EmulatedTPM? = nil) throws {
        let tpm = try tpm ?? EmulatedTPM()
        self.tpm = tpm
        directory = "/tmp/mpin-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        try Self.write("tpm_device = \(tpm.device)\n", to: directory + "/server.conf")
        let made = try Run(Products.server, ["init", "--seal", "tpm", "--json", "--dir", directory])
        try #require(made.status == 0, "\(made.all)")
        recoveryKey = try #require(made.json()["recoveryKey"] as? String)
        recoveryName = try #require(made.json()["recoveryKeyName"] as? String)
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    var sealedKey: String { directory + "/state/seal.tpm" }
    var plainKey: String { directory + "/state/seal.key" }

    static func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o600)
    }

    static func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    func run(_ arguments: String..., input: String? = nil) throws -> Run {
        try Run(Products.server, arguments + ["--dir", directory], input: input)
    }

    /// Moves the disk to the machine of another TPM.
    func move(to tpm: EmulatedTPM) throws {
        try Self.write("tpm_device = \(tpm.device)\n", to: directory + "/server.conf")
    }

    /// Whether it starts.
    func serves() throws -> Bool {
        let process = try Background([
            Products.server, "serve", "--dir", directory, "--listen", "unix:" + directory + "/s.sock",
        ])
        self.process = process
        return process.line().contains("ready")
    }

    func stop() {
        process?.send(SIGTERM)
        _ = process?.status()
        process = nil
    }
}
