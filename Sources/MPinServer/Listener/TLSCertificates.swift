#if TLS
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
#endif
