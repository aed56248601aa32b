// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinCrypto
package import MPinServerStorage
internal import ShellSyntax
internal import SystemFiles

/// The certificate chain and private key of a server that speaks TLS itself, as PEM files.
package struct TLSFiles: Sendable {
    package let certificate: String
    package let key: String
    /// The directory with the copies that the service manager makes for the server's account, `tls.crt` and `tls.key`;
    /// nil if the account reads the files themselves.
    let copies: String?
    /// The host that clients connect to; nil if it is unknown.
    private let host: String?

    package init(certificate: String, key: String, copies: String? = nil, host: String? = nil) {
        (self.certificate, self.key, self.copies, self.host) = (certificate, key, copies, host)
    }

    /// The content of both files.
    struct Loaded: Sendable {
        let context: TLSContext
        /// The content of the file with the chain.
        let certificates: [UInt8]

        /// Why clients refuse the certificate; nil if they accept it.
        let fault: String?
    }

    /// Reads the copies, or else the files themselves.
    func load() throws(ServerError) -> Loaded {
        guard let copies else { return try loadFiles() }
        let copied = TLSFiles(certificate: copies + "/tls.crt", key: copies + "/tls.key", host: host)
        do throws(ServerError) { return try copied.loadFiles() } catch {
            throw ServerError(
                error.kind, "the copy of the certificate \(certificate) cannot be used: \(error.message)",
                hint: "Find the cause: sudo mpin-server config check\nThen run: sudo systemctl reload mpin-server")
        }
    }

    private func loadFiles() throws(ServerError) -> Loaded {
        let hint = "The certificate (tls_cert, --tls-cert) and the key (tls_key, --tls-key) must be PEM files."
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
        let context = try TLSContext(self, certificates, key: keyBytes)
        return Loaded(context: context, certificates: certificates, fault: fault(of: context))
    }

    /// Checks the files themselves, as the caller's user.
    ///
    /// - Returns: for how many more seconds the certificate is valid.
    /// - Throws: ``ServerError`` also if the certificate has expired, or is not for the host that clients connect to.
    @discardableResult package func check() throws(ServerError) -> Int64 {
        let loaded = try loadFiles()
        if let fault = loaded.fault {
            throw ServerError(
                .configuration, "the certificate in \(certificate) \(fault)",
                hint: "Replace it and its key, and then run: sudo systemctl reload mpin-server")
        }
        return loaded.context.end - Int64(time(nil))
    }

    private func fault(of context: TLSContext) -> String? {
        if context.end <= Int64(time(nil)) { return "has expired" }
        return host.flatMap { TLSCertificate.isFor(context.certificate, host: $0) ? nil : "is not for \($0)" }
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
