// SPDX-License-Identifier: Apache-2.0
internal import HummingbirdCore
internal import Logging
internal import MPinCrypto
internal import MPinServerRoles
internal import MPinServerStorage
internal import NIOCore
import Synchronization

/// Where the certificate for the ports comes from.
enum TLSSource: Sendable {
    case files(TLSFiles)
    /// The server makes it for this host, and signs it with its own key.
    case ownKey(CertificateHost)
}

/// The certificate for new connections. It can be replaced while the server runs.
final class TLSCertificates: Sendable {
    private struct Current {
        let context: TLSContext
        /// The content of the file with the chain; nil for one that the server has made.
        var chain: [UInt8]?
        /// Whether clients refuse it, unless it has only expired since.
        var isFaulty = false
        /// When the server made it.
        var made = ContinuousClock.now
    }

    /// The validity of a certificate that the server makes, which a new one replaces after a day. Clients' clocks differ.
    private static let validity = (before: Int64(30 * 86_400), after: Int64(90 * 86_400))

    private let source: TLSSource
    /// Nil for an authority, which has no such key.
    private let key: ServerSigningKey?
    /// Nil until there is a certificate.
    private let current = Mutex<Current?>(nil)

    init(_ source: TLSSource, signedBy key: ServerSigningKey?) { (self.source, self.key) = (source, key) }

    var context: TLSContext? { current.withLock { $0?.context } }

    /// When the server's own certificate expires, in seconds since 1970; nil if there is none yet.
    var end: Int64? { current.withLock { $0?.context.end } }

    /// Reads the files or makes a certificate, unless there is one already.
    func demand(_ logger: Logger) throws(ServerError) {
        try current.withLock { current throws(ServerError) in
            guard current == nil else { return }
            switch source {
            case .files(let files):
                let loaded = try files.load()
                if let fault = loaded.fault {
                    logger.warning("the certificate in \(files.certificate) \(fault), so clients refuse it")
                }
                current = Current(
                    context: loaded.context, chain: loaded.certificates, isFaulty: loaded.fault != nil)
            case .ownKey(let host): current = Current(context: try make(host))
            }
        }
    }

    /// Reads the files again. If they cannot be used, the certificate does not change. Without one, the ports that need
    /// it read the files by themselves.
    ///
    /// - Returns: whether there is another certificate.
    func reload() throws(ServerError) -> Bool {
        guard context != nil, case .files(let files) = source else { return false }
        let next = try files.load()
        return try current.withLock { current throws(ServerError) in
            // Clients accept the former one, if it is still valid.
            if let fault = next.fault, let current, !current.isFaulty,
                current.context.end > ServerClock.system.now.seconds
            {
                throw ServerError(.configuration, "the certificate in \(files.certificate) \(fault)")
            }
            defer {
                current = Current(context: next.context, chain: next.certificates, isFaulty: next.fault != nil)
            }
            return current?.chain != next.certificates
        }
    }

    /// Replaces a certificate that the server made more than a day ago.
    func renew() throws(ServerError) {
        guard case .ownKey(let host) = source else { return }
        try current.withLock { present throws(ServerError) in
            guard let made = present?.made, ContinuousClock.now - made > .seconds(86_400) else { return }
            present = Current(context: try make(host))
        }
    }

    private func make(_ host: CertificateHost) throws(ServerError) -> TLSContext {
        guard let key else { throw ServerError(.configuration, "a second authority cannot sign its own certificate") }
        let now = ServerClock.system.now.seconds
        do {
            return try TLSContext(
                key.issueCertificate(for: host, valid: now - Self.validity.before..<now + Self.validity.after))
        } catch { throw ServerError(.internalFault, "cannot make a certificate: \(error)") }
    }
}

/// A counted connection with TLS.
struct TLSChannel: ServerChildChannel {
    /// The error of a connection for which there is no certificate.
    private struct ConnectionError: Error {}

    let base: CountedChannel
    let certificates: TLSCertificates

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        channel.eventLoop.makeCompletedFuture {
            guard let context = certificates.context else { throw ConnectionError() }
            try channel.pipeline.syncOperations.addHandler(context.handler)
        }.flatMap { base.setup(channel: channel, logger: logger) }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
