// SPDX-License-Identifier: Apache-2.0
internal import HummingbirdCore
internal import Logging
internal import MPinServerStorage
internal import NIOCore
import Synchronization

/// The certificate for new connections. A reload replaces it while the server runs.
final class TLSCertificates: Sendable {
    private let files: TLSFiles
    /// Nil until the files could be used.
    private let current = Mutex<TLSFiles.Loaded?>(nil)

    init(_ files: TLSFiles) { self.files = files }

    var context: TLSContext? { current.withLock { $0?.context } }

    /// When the server's own certificate expires, in seconds since 1970; nil if there is none yet.
    var end: Int64? { current.withLock { $0?.context.end } }

    /// Reads the files, unless there is a certificate already.
    func demand(_ logger: Logger) throws(ServerError) {
        try current.withLock { current throws(ServerError) in
            guard current == nil else { return }
            let loaded = try files.load()
            if loaded.hasExpired {
                logger.warning("the certificate in \(files.certificate) has expired, so clients refuse it")
            }
            current = loaded
        }
    }

    /// Reads the files again. If they cannot be used, the certificate does not change. Without one, the ports that need
    /// it read the files by themselves.
    ///
    /// - Returns: whether there is another certificate.
    func reload() throws(ServerError) -> Bool {
        guard context != nil else { return false }
        let next = try files.load()
        return current.withLock { current in
            defer { current = next }
            return current?.certificates != next.certificates
        }
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
