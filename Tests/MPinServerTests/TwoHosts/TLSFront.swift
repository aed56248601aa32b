// SPDX-License-Identifier: Apache-2.0
import Foundation

/// stunnel with a certificate for localhost that is its own authority, in front of a socket or a loopback port.
final class TLSFront {
    private(set) var port: UInt16 = 0
    let certificate: String
    private var process: Companion?

    var url: String { "https://localhost:\(port)" }

    /// - Parameter target: the path of a socket, or a port.
    init(_ target: String, in directory: String) throws {
        certificate = directory + "/front.pem"
        let made = try Program.run(
            at: "/usr/bin/openssl",
            [
                "req", "-x509", "-days", "2", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
                "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-out", certificate, "-keyout",
                directory + "/front.key",
            ])
        guard made.code == 0 else { throw Companion.NotReady(output: made.errors) }
        // Below the ports that the kernel gives to others' connections; another one where it is taken even so.
        for _ in 0..<5 where !isRunning {
            port = UInt16.random(in: 20_000..<32_000)
            try start(target, directory)
            _ = becomes { !isRunning || isReachable }
        }
        guard isRunning, isReachable else { throw Companion.NotReady() }
    }

    private var isRunning: Bool { process?.isRunning == true }

    private func start(_ target: String, _ directory: String) throws {
        let configuration = directory + "/front.conf"
        let text = """
            foreground = yes
            pid =
            [m]
            accept = 127.0.0.1:\(port)
            connect = \(target)
            cert = \(certificate)
            key = \(directory)/front.key

            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: configuration))
        process = try Companion(["/usr/bin/stunnel4", configuration], ready: nil)
    }

    private var isReachable: Bool {
        guard let file = try? SocketPeer(port: port).connect() else { return false }
        close(file)
        return true
    }
}
