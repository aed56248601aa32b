// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console
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

    @Option(
        name: .customLong("behind-proxy"),
        help: .value("user", "The user that a TLS proxy of this host runs as, which passes requests for --public-url."),
        completion: .accounts) var proxy: String?

    /// The words of the command line that give these options.
    var words: [String] {
        [("--public-url", publicURL), ("--tls-cert", certificate), ("--tls-key", key), ("--behind-proxy", proxy)]
            .flatMap { name, value in value.map { [name, $0] } ?? [] }
    }

    /// The address for other machines; nil if none is given.
    func address() throws(ServerError) -> PublicAddress? {
        let way: PublicAddress.Way
        switch (certificate, key, proxy) {
        case (nil, nil, let proxy?): way = .proxy(try ProxyAccount(proxy))
        case (let certificate?, let key?, nil): way = .tls(certificate: certificate, key: key)
        case (nil, nil, nil) where publicURL == nil: return nil
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
                hint: "Nothing was changed. Set public_url, listen and tls_cert or trusted_proxy in "
                    + "/etc/mpin/server.conf, and restart the server.\nSee: man mpin-server.conf")
        }
        return try PublicAddress(publicURL, way)
    }
}
