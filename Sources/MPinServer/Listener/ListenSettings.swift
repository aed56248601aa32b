// SPDX-License-Identifier: Apache-2.0
internal import MPinServerRoles
package import MPinServerStorage

/// The addresses on which a server listens, and the certificate for its ports.
///
/// With a certificate, all ports use TLS. Without one, only this host can reach them.
struct ListenSettings: Sendable {
    let addresses: [ListenAddress]
    /// Nil without TLS.
    let tls: TLSSource?

    /// The address of the installed server, if neither the command line nor the configuration names one.
    static let installed = ListenAddress.unix(path: "/run/mpin/server.sock")

    /// Chooses the addresses of the command line, or else those of the configuration, or else that of the installed
    /// server.
    ///
    /// - Parameters:
    ///   - given: the addresses of the command line.
    ///   - files: the certificate of the command line.
    init(
        _ given: [ListenAddress], _ files: TLSFiles?, _ configuration: ServerConfiguration, isInstalled: Bool
    ) throws(ServerError) {
        let configured = configuration.listen.isEmpty && isInstalled ? [Self.installed] : configuration.listen
        addresses = given.isEmpty ? configured : given
        guard !addresses.isEmpty else {
            throw ServerError(
                .usage, "no address to listen on", hint: "Give --listen unix:PATH, or set listen in server.conf.")
        }
        let hasPort = addresses.contains { !$0.isSocket }
        guard files == nil || hasPort else { throw ServerError(.usage, "--tls-cert and --tls-key require a TCP port") }
        if let files { tls = .files(files) } else { tls = hasPort ? try Self.source(configuration) : nil }
        if let metrics = configuration.metricsAddress, addresses.contains(metrics) {
            throw ServerError(
                .configuration, "listen and metrics_listen must name different addresses",
                hint: "Give metrics_listen another port.")
        }
        for (number, address) in addresses.enumerated() {
            guard address.isLocal || tls != nil else {
                throw ServerError(
                    .configuration, "\(address.text) is not a loopback address, so it requires TLS",
                    hint: """
                        Give --tls-cert and --tls-key, or set tls_cert and tls_key in server.conf.
                        Behind a TLS proxy, listen on unix:PATH instead.
                        """)
            }
            guard !addresses[..<number].contains(address) else {
                throw ServerError(
                    given.isEmpty ? .configuration : .usage, "the server cannot listen on \(address.text) twice")
            }
        }
    }

    /// The source of the certificate in the configuration.
    private static func source(_ configuration: ServerConfiguration) throws(ServerError) -> TLSSource? {
        switch (configuration.tlsCertificate, configuration.tlsKey, configuration.selfSigned) {
        case (nil, nil, false): return nil
        case (let certificate?, let key?, false):
            // Behind a proxy that ends TLS, clients see the proxy's certificate.
            let url = configuration.proxies.endTLS ? nil : configuration.roles.publicURL
            let host = url.flatMap { $0.hasPrefix("https://") ? PublicURL.host($0) : nil }
            return .files(
                TLSFiles(certificate: certificate, key: key, copies: configuration.tlsCopies, host: host))
        case (nil, nil, true):
            guard let url = configuration.roles.publicURL, url.hasPrefix("https://") else {
                throw ServerError(
                    .configuration, "tls_self_signed needs public_url = https://HOST, whose name the certificate has",
                    hint: "See: man mpin-server.conf")
            }
            return .ownKey(try CertificateHost(url: url))
        case (_, _, true):
            throw ServerError(
                .configuration, "tls_self_signed = yes excludes tls_cert and tls_key", hint: "See: man mpin-server.conf"
            )
        default:
            throw ServerError(
                .configuration, "tls_cert and tls_key must be set together", hint: "See: man mpin-server.conf")
        }
    }
}

extension ServerDirectory {
    /// The certificate of the installed server and its key, which only root can read, because the server's account gets
    /// copies; nil if there is no such certificate, or if the settings are not valid.
    package static var rootTLSFiles: TLSFiles? {
        guard let configuration = try? readRootConfiguration(),
            let settings = try? ListenSettings([], nil, configuration, isInstalled: true),
            case .files(let files) = settings.tls, files.copies != nil
        else { return nil }
        return files
    }

    /// The errors in all files of settings, and those of settings that do not fit together.
    ///
    /// - Parameter file: a configuration file that replaces the directory's own.
    package func configurationFaults(file: String?) throws(ServerError) -> [ServerError] {
        let (configuration, faults) = try readWholeConfiguration(file: file)
        guard faults.isEmpty else { return faults }
        do throws(ServerError) {
            let settings = try ListenSettings([], nil, configuration, isInstalled: true)
            // The account cannot read files that need copies. Root can: ``rootTLSFiles``.
            if case .files(let files) = settings.tls, files.copies == nil { try files.check() }
            try configuration.roles.checkVerification()
            return []
        } catch { return [error] }
    }
}
