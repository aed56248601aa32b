#if TLS
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOSSL
import Synchronization

/// The certificate for new connections. A reload replaces it while the server runs.
final class TLSCertificates: Sendable {
    private let files: TLSFiles
    private let current: Mutex<NIOSSLContext>

    init(_ files: TLSFiles) throws(ServerFault) {
        self.files = files
        current = Mutex(try files.context())
    }

    var context: NIOSSLContext { current.withLock { $0 } }

    /// Reads the files again. If they cannot be used, the certificate stays.
    func reload() throws(ServerFault) {
        let next = try files.context()
        current.withLock { $0 = next }
    }
}

/// A counted connection inside of TLS.
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
#endif
