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
            case .unix: "trusted_proxy = USER in server.conf, with the user as whom the proxy runs"
            case .tcp: "trusted_proxy = yes in server.conf"
            }
        return """
            people reach this server at \(publicURL), so through a proxy, but no proxy is trusted: all of them count as one \
            source, and what one of them does wrong makes the others wait. Set \(setting), have the proxy add \
            X-Forwarded-For, and start the server again
            """
    }
}
