/// The check against CSRF: tells the server's own pages from those of other origins, by what browsers say about the
/// page that makes a request.
///
/// Other clients say nothing, and have no cookies that a page of another origin could misuse.
struct SameOrigin: Sendable {
    /// Scheme, host and port of the public address; nil where there is none.
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

    /// Whether no page of another origin makes this request.
    func allows(_ request: Request) -> Bool {
        // Where a browser sends it, no script can change it; the origin of a form may be hidden even from its own
        // server.
        if let site = request.header("sec-fetch-site") { return site == "same-origin" }
        guard let sent = request.header("origin") else { return true }
        if let origin { return sent == origin }
        guard let host = request.header("host") else { return false }
        return sent == "http://\(host)" || sent == "https://\(host)"
    }

    /// The same for a form whose page sends no referrer: browsers that say nothing else name no origin for it.
    func allowsForm(_ request: Request) -> Bool {
        request.header("sec-fetch-site") == nil && request.header("origin") == "null" || allows(request)
    }

    /// Whether in addition a page of another origin could not have sent it without a CORS preflight: a form can send
    /// neither of these headers.
    func allowsChange(_ request: Request) -> Bool {
        let type = request.header("content-type")?.lowercased() ?? ""
        let isJSON = type == "application/json" || type.hasPrefix("application/json;")
        return (isJSON || request.header("x-requested-with") != nil) && allows(request)
    }
}
