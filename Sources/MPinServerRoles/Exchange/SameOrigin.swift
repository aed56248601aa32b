// SPDX-License-Identifier: Apache-2.0

/// The check against CSRF. It distinguishes the server's own pages from those of other origins by what browsers send
/// about the page that makes a request.
///
/// Other clients send nothing about pages, and have no cookies that a page of another origin could misuse.
struct SameOrigin: Sendable {
    /// Scheme, host and port of the public address; nil if there is none.
    private let origin: String?

    init(publicURL: String) {
        guard let scheme = ["https://", "http://"].first(where: publicURL.hasPrefix) else {
            origin = nil
            return
        }
        var host = publicURL.dropFirst(scheme.utf8.count).prefix { $0 != "/" }.lowercased()
        let usual = scheme == "https://" ? ":443" : ":80"
        if host.hasSuffix(usual) { host.removeLast(usual.utf8.count) }
        origin = scheme + host
    }

    /// Whether the request does not come from a page of another origin.
    func allows(_ request: Request) -> Bool {
        // No script can change this header. The origin of a form may be hidden even from its own server.
        if let site = request.header("sec-fetch-site") { return site == "same-origin" }
        guard let sent = request.header("origin") else { return true }
        if let origin { return sent == origin }
        guard let host = request.header("host") else { return false }
        return sent == "http://\(host)" || sent == "https://\(host)"
    }

    /// Whether a form on a page that sends no referrer may make this request. Browsers without the other header send
    /// the origin `null` with such a form.
    func allowsForm(_ request: Request) -> Bool {
        request.header("sec-fetch-site") == nil && request.header("origin") == "null" || allows(request)
    }

    /// Whether the request also could not have been sent by a page of another origin without a CORS preflight. A form
    /// can send neither of these headers.
    func allowsChange(_ request: Request) -> Bool {
        let type = request.header("content-type")?.lowercased() ?? ""
        let isJSON = type == "application/json" || type.hasPrefix("application/json;")
        return (isJSON || request.header("x-requested-with") != nil) && allows(request)
    }
}
