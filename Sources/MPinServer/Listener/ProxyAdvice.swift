// SPDX-License-Identifier: Apache-2.0
internal import MPinServerRoles

/// The warning at the start of a server behind a proxy that is not configured.
///
/// Such a server treats all clients behind the proxy as one source, and a rate limit that one of them exceeds stops all
/// of them.
struct ProxyAdvice {
    private let publicURL: String

    /// Nil if there is nothing to warn about: without a proxy, or with a trusted one.
    ///
    /// - Parameter addresses: all on which the server listens, without TLS.
    init?(_ publicURL: String, proxies: TrustedProxies, addresses: [ListenAddress]) {
        guard !publicURL.isEmpty, !PublicURL.isLoopback(publicURL), proxies.isEmpty, addresses.allSatisfy(\.isLocal)
        else { return nil }
        self.publicURL = publicURL
    }

    var text: String {
        """
        clients reach this server through a proxy (\(publicURL)), but no proxy is trusted. All clients count as one \
        source and share its limits. Let the proxy connect to a Unix socket and add X-Forwarded-For. In server.conf set \
        trusted_proxy = USER (the user that the proxy runs as), and restart the server
        """
    }
}
