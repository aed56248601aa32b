internal import HummingbirdCore

#if TLS
internal import HummingbirdTLS
#endif

/// The certificate chain and private key of a server that speaks TLS itself, as PEM files.
public struct TLSFiles: Sendable {
    public let certificate: String
    public let key: String

    public init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }

    /// Whether this build speaks TLS.
    public static var isAvailable: Bool {
        #if TLS
        true
        #else
        false
        #endif
    }

    /// Wraps a server into TLS 1.2 or newer.
    func wrap(_ base: HTTPServerBuilder) throws(ServerFault) -> HTTPServerBuilder {
        #if TLS
        do {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
            configuration.minimumTLSVersion = .tlsv12
            return try .tls(base, tlsConfiguration: configuration)
        } catch {
            throw ServerFault(.configuration, "certificate or key cannot be used: \(error)")
        }
        #else
        throw ServerFault(
            .configuration, "this mpin-server was built without TLS",
            hint: "Build it with the package trait TLS, or listen on a loopback port behind a TLS proxy.")
        #endif
    }
}
