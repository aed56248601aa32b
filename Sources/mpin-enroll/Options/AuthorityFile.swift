// SPDX-License-Identifier: Apache-2.0
import Glibc
import MPin
import MPinConfiguration

/// The check of the CA file before the first request.
enum AuthorityFile {
    /// Refuses a file without a certificate: the TLS failure of a transfer would be less specific.
    static func check(_ configuration: Configuration, isGiven: Bool) throws(CommandFailure) {
        guard let path = configuration.caFile else { return }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        // An unreadable file was refused when the configuration was loaded.
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while text.count < 1 << 20 {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            text += chunk.prefix(count)
        }
        let marks = [
            "-----BEGIN CERTIFICATE-----", "-----BEGIN TRUSTED CERTIFICATE-----", "-----BEGIN X509 CERTIFICATE-----",
        ]
        let lines = text.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        guard !lines.contains(where: { line in marks.contains { line.starts(with: $0.utf8) } }) else { return }
        throw CommandFailure(
            .configuration, "CONFIGURATION", "\(path) contains no PEM certificate.",
            advice: Advice(
                isGiven
                    ? "Use a file with CA certificates: --ca-file FILE"
                    : "Use a file with CA certificates in \(configuration.file): ca_file = FILE"))
    }
}
