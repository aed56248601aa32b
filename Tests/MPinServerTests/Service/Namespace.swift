// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A host of its own as far as files go: `/etc` is a copy, and `/run` and `/var/lib` are empty. Needs root.
///
/// What is mounted lives as long as this, in the mount namespace of a process that sleeps.
final class Namespace {
    struct Failed: Error { let output: String }

    private let directory: String
    private let process: Companion

    init(systemd: Bool = false) throws {
        directory = NSTemporaryDirectory() + "mpin-host-" + UUID().uuidString.prefix(8)
        for name in ["etc", "run", "lib"] {
            try FileManager.default.createDirectory(
                atPath: "\(directory)/\(name)", withIntermediateDirectories: true)
        }
        chmod(directory, 0o755)
        let script = """
            set -e
            cp -a /etc/. "$0/etc"
            rm -rf "$0/etc/mpin"
            mount --bind "$0/etc" /etc
            mount --bind "$0/run" /run
            mount --bind "$0/lib" /var/lib
            echo ready
            read -r _ || true
            """
        process = try Companion([
            "/usr/bin/unshare", "-m", "--propagation", "private", "/bin/bash", "-c", script, directory,
        ])
        if systemd { try shell("mkdir -p /run/systemd/system") }
    }

    deinit {
        try? process.end()
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Runs a shell command on this host, with the server's program as `$0`.
    @discardableResult
    func shell(_ command: String, expecting code: Int32? = 0) throws -> Program.Result {
        let result = try Program.run(
            at: "/usr/bin/nsenter",
            ["-t", "\(process.identifier)", "-m", "--", "/bin/bash", "-c", command, try Program.path])
        if let code, result.code != code { throw Failed(output: "\(result.code): \(result.output)\(result.errors)") }
        return result
    }
}
