// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A self-signed certificate and its key.
struct Certificate {
    let file: String
    let key: String

    /// - Parameter base: the path of both files without their extensions.
    init(_ base: String, names: String = "DNS:localhost", days: Int = 2) throws {
        (file, key) = (base + ".crt", base + ".key")
        let made = try Program.run(
            at: "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "\(days)", "-subj", "/CN=localhost",
                "-addext",
                "subjectAltName=\(names)", "-out", file, "-keyout", key,
            ])
        try #require(made.code == 0, "\(made.errors)")
    }
}
