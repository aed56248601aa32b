// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// A PostgreSQL database that accepts only TLS, on a loopback port.
final class TLSDatabase {
    private let place = NSTemporaryDirectory() + "mpin-tls-" + UUID().uuidString.prefix(8)
    private let certificate: Certificate
    private let server: PostgreSQLServer
    /// Below the ports that the system gives to outgoing connections.
    private let port = Int.random(in: 20_000..<32_000)

    init() throws {
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        certificate = try Certificate(place + "/server")
        server = try PostgreSQLServer()
        let data = server.directory + "/data"
        try server.run("postgres", "CREATE DATABASE own")
        for (file, name) in [(certificate.file, "tls.crt"), (certificate.key, "tls.key")] {
            try FileManager.default.copyItem(atPath: file, toPath: data + "/" + name)
            if getuid() == 0 { chown(data + "/" + name, 65_534, 65_534) }
            chmod(data + "/" + name, 0o600)
        }
        try Data("local all all trust\nhostssl all all 127.0.0.1/32 trust\n".utf8)
            .write(to: URL(fileURLWithPath: data + "/pg_hba.conf"))
        server.kill()
        try server.start(
            options: [
                "-c", "listen_addresses=127.0.0.1", "-c", "ssl=on", "-c", "ssl_cert_file=tls.crt", "-c",
                "ssl_key_file=tls.key",
            ], port: port)
    }

    deinit {
        server.destroy()
        try? FileManager.default.removeItem(atPath: place)
    }

    /// Its address in the setting `database`, by a name of this machine.
    func address(_ name: String = "localhost") -> String { "postgresql://mpin@\(name):\(port)/own" }

    /// A command that becomes the program whose command line follows it, where the certificate is trusted. Needs root.
    var trusting: [String] {
        [
            "/usr/bin/unshare", "-m", "/bin/sh", "-c",
            "mount --bind '\(certificate.file)' /etc/ssl/certs/ca-certificates.crt && exec \"$@\"", "sh",
        ]
    }
}
