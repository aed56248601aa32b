// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
import MPinServerRoles
import MPinServerStorage

/// The options of `setup` for an address that other machines use.
struct PublicAddressOptions: ParsableArguments {
    @Option(
        name: .customLong("public-url"),
        help: .value("url", "Let other machines use the server at this address, https://HOST[:PORT]."))
    var publicURL: String?

    @Option(
        name: .customLong("tls-cert"), help: .value("file", "PEM file with the certificate chain for --public-url."),
        completion: .file()) var certificate: String?

    @Option(name: .customLong("tls-key"), help: .value("file", "PEM file with its private key."), completion: .file())
    var key: String?

    @Flag(help: "Let a TLS proxy of this host pass requests for --public-url to \(PublicAddress.proxied).")
    var behindProxy = false

    /// The words of the command line that give these options.
    var words: [String] {
        [("--public-url", publicURL), ("--tls-cert", certificate), ("--tls-key", key)].flatMap { name, value in
            value.map { [name, $0] } ?? []
        } + (behindProxy ? ["--behind-proxy"] : [])
    }

    /// The address for other machines; nil if none is given.
    func address() throws(ServerError) -> PublicAddress? {
        let way: PublicAddress.Way
        switch (certificate, key, behindProxy) {
        case (nil, nil, true): way = .proxy
        case (let certificate?, let key?, false): way = .tls(certificate: certificate, key: key)
        case (nil, nil, false) where publicURL == nil: return nil
        default:
            throw ServerError(
                .usage, "--public-url needs either --tls-cert and --tls-key, or --behind-proxy",
                hint: "See: mpin-server setup --help")
        }
        guard let publicURL else {
            throw ServerError(.usage, "no --public-url given", hint: "See: mpin-server setup --help")
        }
        guard try SetupCommand.hasUnit() else {
            throw ServerError(
                .configuration, "--public-url requires systemd and \(SetupCommand.unit)",
                hint: """
                    Nothing was changed. Without systemd, set these in /etc/mpin/server.conf and restart the server:
                    public_url = \(publicURL)
                    listen = unix:\(SetupCommand.socket), 0.0.0.0:\(PublicURL.port(publicURL) ?? 443)
                    tls_cert = FILE
                    tls_key = FILE
                    """)
        }
        return try PublicAddress(publicURL, way)
    }
}
