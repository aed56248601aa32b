// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A real sshd on a loopback port, in front of the services of a private system, and a client of it at a terminal.
struct RemoteLogin {
    private let system: PrivateSystem
    private let sshd: String
    private let port: Int

    /// - Parameter system: one whose stack lets the module ask for the PIN over the network.
    init(_ system: PrivateSystem, sshd: String) throws {
        self.system = system
        self.sshd = sshd
        port = Int.random(in: 20_000..<30_000)
        let key = try Run(
            "/usr/bin/ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", system.machine.directory + "/hostkey"])
        try #require(key.status == 0, "\(key.all)")
        try system.machine.write(
            """
            Port \(port)
            ListenAddress 127.0.0.1
            HostKey \(system.machine.directory)/hostkey
            PidFile none
            UsePAM yes
            KbdInteractiveAuthentication yes
            PasswordAuthentication no
            PubkeyAuthentication no

            """, to: "/sshd.conf")
    }

    /// One connection. The server ends with the client.
    ///
    /// - Parameter command: what is run there; a shell where it is empty.
    func connect(logLevel: String = "ERROR", command: String = "echo GOT IN") throws -> Terminal {
        let script = """
            mount -t tmpfs none /run && mkdir /run/sshd || exit 9
            \(sshd) -D -f \(system.machine.directory)/sshd.conf & server=$!
            trap 'kill $server' EXIT
            ssh -tt -F none -o ConnectionAttempts=120 -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=\(logLevel) \
                -o PreferredAuthentications=keyboard-interactive -o NumberOfPasswordPrompts=3 \
                -p \(port) \(PrivateSystem.account)@127.0.0.1 \(command)
            """
        return try system.root("/bin/sh", "-c", script)
    }
}
