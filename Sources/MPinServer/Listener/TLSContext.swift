// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerStorage
internal import NIOCore

#if TLS
internal import NIOSSL
#endif

/// A certificate chain and its key, for the connections of a port.
///
/// scripts/demo builds a server without TLS, because it uses none. There, the type has no values.
struct TLSContext: Sendable {
    #if TLS
    /// The suites of TLS 1.2 with forward secrecy and authenticated encryption. TLS 1.3 has no others.
    private static let suites = [
        "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
        "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305",
    ].joined(separator: ":")

    private let context: NIOSSLContext
    /// When the server's own certificate expires, in seconds since 1970.
    let end: Int64
    /// The server's own certificate, DER.
    let certificate: [UInt8]

    /// - Parameters:
    ///   - files: for the messages.
    ///   - certificates: the content of the file with the chain.
    ///   - key: that of the file with the key.
    init(_ files: TLSFiles, _ certificates: [UInt8], key: [UInt8]) throws(ServerError) {
        let chain: [NIOSSLCertificate]
        do { chain = try NIOSSLCertificate.fromPEMBytes(certificates) } catch {
            throw ServerError(
                .configuration, "\(files.certificate) contains no PEM certificate",
                hint: "Give --tls-cert a PEM file with the server's and all intermediate certificates.")
        }
        let secret: NIOSSLPrivateKey
        do { secret = try NIOSSLPrivateKey(bytes: key, format: .pem) } catch {
            throw ServerError(
                .configuration, "\(files.key) contains no PEM private key, or one with a password",
                hint: "Give --tls-key the file with the key for the certificate in \(files.certificate).")
        }
        do { self = try Self(chain, secret) } catch {
            throw ServerError(
                .configuration,
                "\(files.key) is not the key of the first certificate in \(files.certificate)",
                hint: "Give a certificate and its key. The server's own certificate must be the first in the file.")
        }
    }

    init(_ own: TLSCertificate) throws {
        self = try Self(
            [NIOSSLCertificate(bytes: own.certificate, format: .der)],
            NIOSSLPrivateKey(bytes: own.key, format: .der))
    }

    private init(_ chain: [NIOSSLCertificate], _ key: NIOSSLPrivateKey) throws {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuites = Self.suites
        context = try NIOSSLContext(configuration: configuration)
        end = chain.first.map { Int64($0.notValidAfter) } ?? 0
        certificate = try chain.first?.toDERBytes() ?? []
    }

    /// Encrypts one connection.
    var handler: NIOSSLServerHandler { NIOSSLServerHandler(context: context) }
    #else
    private let none: Never

    var end: Int64 { switch none {} }
    var certificate: [UInt8] { switch none {} }
    var handler: any ChannelHandler { switch none {} }

    init(_ files: TLSFiles, _ certificates: [UInt8], key: [UInt8]) throws(ServerError) { throw Self.missing }

    init(_ own: TLSCertificate) throws { throw Self.missing }

    private static var missing: ServerError {
        ServerError(.configuration, "this mpin-server is built without TLS", hint: "Run: scripts/build")
    }
    #endif
}
