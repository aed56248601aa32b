// SPDX-License-Identifier: Apache-2.0
import Glibc
import MPin
import MPinConfiguration

/// Asks a server on this machine whether all its parts work: it may answer although every login fails, as with a full
/// disk.
struct ServerHealthExamination {
    private(set) var findings: [Finding] = []

    /// Where the service of the package has its status socket.
    private static let socket = "/run/mpin/status.sock"

    init(_ configuration: Configuration) {
        // Other users may not ask.
        guard geteuid() == 0, access(Self.socket, F_OK) == 0 else { return }
        let isHealthy: Bool
        do throws(MPinError) {
            isHealthy = try MPinClient.isHealthy(
                atStatusSocket: "unix:" + Self.socket, options: configuration.transport)
        } catch { isHealthy = false }
        guard !isHealthy else { return }
        findings = [
            Finding(
                "server", .fault, "The server on this machine reports a problem, so logins may fail.",
                advice: Advice("Show it: sudo mpin-server status"))
        ]
    }
}
