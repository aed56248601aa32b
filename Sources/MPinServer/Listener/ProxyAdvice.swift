internal import MPinServerRoles

/// The warning at the start of a server that is reached through a proxy it was not told of.
///
/// Such a server takes all clients behind the proxy for one source, and a rate limit that one exceeds stops all of
/// them.
struct ProxyAdvice {
    private let publicURL: String
    private let listen: ListenAddress

    /// Nil where there is nothing to say: without a proxy in front, or with one that is trusted.
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
