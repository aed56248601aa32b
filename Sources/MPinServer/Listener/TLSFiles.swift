// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import MPinServerStorage
internal import NIOSSL
internal import ShellSyntax
internal import SystemFiles

/// The certificate chain and private key of a server that speaks TLS itself, as PEM files.
package struct TLSFiles: Sendable {
    package let certificate: String
    package let key: String

    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }

    /// The suites of TLS 1.2 with forward secrecy and authenticated encryption. TLS 1.3 has no others.
    private static let suites = [
        "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
        "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305",
    ].joined(separator: ":")

    /// The content of both files.
    struct Loaded: Sendable {
        let context: NIOSSLContext
        /// The content of the file with the chain.
        let certificates: [UInt8]
        /// When the server's own certificate expires, in seconds since 1970.
        let end: Int64

        var hasExpired: Bool { end <= Int64(time(nil)) }
    }

    /// Reads both files.
    func load() throws(ServerError) -> Loaded {
        let hint = "Give --tls-cert and --tls-key the paths of PEM files."
        let certificates = try RegularFile.read(certificate, hint: hint)
        let keyBytes: [UInt8]
        do throws(ServerError) { keyBytes = try RegularFile.read(key, hint: hint) } catch {
            guard error.kind == .notPermitted, let account = FileFacts.account(geteuid()) else { throw error }
            let (group, file) = (ShellWord.operand(account), ShellWord.operand(key))
            throw ServerError(
                .notPermitted, error.message,
                hint: "Let the group of the server's account read it: sudo chgrp \(group) \(file) && "
                    + "sudo chmod 0640 \(file)")
        }
        try demandPrivate(key)
        let chain: [NIOSSLCertificate]
        do { chain = try NIOSSLCertificate.fromPEMBytes(certificates) } catch {
            throw ServerError(
                .configuration, "\(certificate) contains no PEM certificate",
                hint: "Give --tls-cert a PEM file with the server's and all intermediate certificates.")
        }
        let secret: NIOSSLPrivateKey
        do { secret = try NIOSSLPrivateKey(bytes: keyBytes, format: .pem) } catch {
            throw ServerError(
                .configuration, "\(key) contains no PEM private key, or one with a password",
                hint: "Give --tls-key the file with the key for the certificate in \(certificate).")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(secret))
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuites = Self.suites
        do {
            return Loaded(
                context: try NIOSSLContext(configuration: configuration), certificates: certificates,
                end: chain.first.map { Int64($0.notValidAfter) } ?? 0)
        } catch {
            throw ServerError(
                .configuration, "\(key) is not the key of the first certificate in \(certificate)",
                hint: "Give a certificate and its key. The server's own certificate must be the first in the file.")
        }
    }

    /// Checks both files for a server with a new address.
    ///
    /// - Throws: ``ServerError`` also if the certificate has expired.
    package func check() throws(ServerError) {
        guard try !load().hasExpired else {
            throw ServerError(.configuration, "the certificate in \(certificate) has expired")
        }
    }

    /// Refuses a key that all users can read, or that other users can replace. A group may read it, because many
    /// systems have a group for that.
    private func demandPrivate(_ path: String) throws(ServerError) {
        guard let facts = FileFacts(target: path), facts.mode & 0o027 == 0 else {
            throw ServerError(
                .configuration, "other users can access the TLS key \(path)", hint: "Run: chmod o=,g-w \(path)")
        }
    }
}
