// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import MPin
import MPinConfiguration
import SystemFiles

/// The check of the CA file before the first request.
enum AuthorityFile {
    /// Refuses a file without a certificate: the TLS failure of a transfer would be less specific.
    static func check(_ configuration: Configuration, isGiven: Bool) throws(CommandFailure) {
        guard let path = configuration.caFile else { return }
        // An unreadable file was refused when the configuration was loaded.
        guard let file = try? SystemFile(path, O_RDONLY) else { return }
        let text = (try? file.read(upTo: 1 << 20)) ?? []
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
