// SPDX-License-Identifier: Apache-2.0
internal import MPinServerRoles

/// The warning at the start of a server behind a proxy that is not configured.
///
/// Such a server treats all clients behind the proxy as one source, and a rate limit that one of them exceeds stops all
/// of them.
struct ProxyAdvice {
    private let publicURL: String
    private let listen: ListenAddress

    /// Nil if there is nothing to warn about: without a proxy, or with a trusted one.
    init?(_ publicURL: String, proxies: TrustedProxies, listen: ListenAddress) {
        guard !publicURL.isEmpty, !PublicURL.isLoopback(publicURL), proxies.isEmpty, listen.isLocal else { return nil }
        self.publicURL = publicURL
        self.listen = listen
    }

    var text: String {
        let setting =
            switch listen {
            case .unix: "trusted_proxy = USER (the user that the proxy runs as)"
            case .tcp: "trusted_proxy = yes"
            }
        return """
            clients reach this server through a proxy (\(publicURL)), but no proxy is trusted. All clients count as \
            one source and share its limits. In server.conf set \(setting). Let the proxy add X-Forwarded-For, and \
            restart the server
            """
    }
}
