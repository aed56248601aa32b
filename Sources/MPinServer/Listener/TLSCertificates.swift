// SPDX-License-Identifier: Apache-2.0
internal import HummingbirdCore
internal import Logging
internal import MPinServerStorage
internal import NIOCore
internal import NIOSSL
import Synchronization

/// The certificate for new connections. A reload replaces it while the server runs.
final class TLSCertificates: Sendable {
    private let files: TLSFiles
    private let current: Mutex<TLSFiles.Loaded>

    init(_ files: TLSFiles) throws(ServerError) {
        self.files = files
        current = Mutex(try files.load())
    }

    var context: NIOSSLContext { current.withLock(\.context) }

    /// When the server's own certificate expires, in seconds since 1970.
    var end: Int64 { current.withLock(\.end) }

    /// The reason why clients refuse the certificate; nil if this server knows none.
    var fault: String? {
        current.withLock { $0.hasExpired ? "the certificate in \(files.certificate) has expired" : nil }
    }

    /// Reads the files again. If they cannot be used, the certificate does not change.
    func reload() throws(ServerError) {
        let next = try files.load()
        current.withLock { $0 = next }
    }
}

/// A counted connection with TLS.
struct TLSChannel: ServerChildChannel {
    let base: CountedChannel
    let certificates: TLSCertificates

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: certificates.context))
        }.flatMap { base.setup(channel: channel, logger: logger) }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
