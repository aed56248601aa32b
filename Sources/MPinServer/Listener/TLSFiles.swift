// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import MPinServerStorage
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

    /// The content of both files.
    struct Loaded: Sendable {
        let context: TLSContext
        /// The content of the file with the chain.
        let certificates: [UInt8]

        var hasExpired: Bool { context.end <= Int64(time(nil)) }
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
        return Loaded(context: try TLSContext(self, certificates, key: keyBytes), certificates: certificates)
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
