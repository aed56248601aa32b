// SPDX-License-Identifier: Apache-2.0
import Testing

/// Certificates that are their own authorities.
enum Certificate {
    /// The arguments of openssl for a new key and the name of a host.
    static func request(_ key: String, for host: String) -> [String] {
        [
            "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=\(host)", "-addext",
            "subjectAltName=DNS:\(host)", "-keyout", key,
        ]
    }

    static func make(_ certificate: String, key: String, for host: String = "localhost") throws {
        let made = try Run(
            "/usr/bin/openssl", ["req", "-x509", "-days", "2", "-out", certificate] + request(key, for: host))
        try #require(made.status == 0, "\(made.errors)")
    }
}
