/// The public routes: from a request to its endpoint and to what that answers.
struct Routes: Sendable {
    /// The endpoints at the path of a request.
    private struct Match {
        let endpoints: [EndpointRow]
        /// The last segment of the path.
        let last: Substring

        func endpoint(for method: String) -> EndpointRow? { endpoints.first { $0.methods.contains(method) } }
    }

    let services: Services
    /// By path; a slash follows the paths that an M-Pin ID follows.
    private let endpoints: [String: [EndpointRow]]

    init(_ services: Services) {
        self.services = services
        let rows = ServerEndpoint.allCases.map(\.row)
        endpoints = Dictionary(grouping: rows.filter { $0.isOffered(services.context.configuration) }) {
            String($0.path.dropFirst()) + ($0.takesMPinID ? "/" : "")
        }
    }

    /// The class of a request. What no endpoint takes needs no write to be refused.
    func requestClass(of request: Request) -> RequestClass {
        match(request).endpoint(for: request.method)?.requestClass ?? .reading
    }

    /// Answers a request.
    ///
    /// - Throws: ``Refusal``; any other error is the server's own failure.
    func result(of request: Request) throws -> RouteResult {
        if request.method == "OPTIONS" { return .now(.empty) }
        let match = match(request)
        let endpoint = match.endpoint(for: request.method)
        // CSRF: a page of another origin could make its visitors' browsers guess, and use up their rate limits.
        if request.method == "POST" {
            let origin = services.application.origin
            guard endpoint?.acceptsForms == true ? origin.allowsForm(request) : origin.allows(request) else {
                throw Refusal.otherOrigin
            }
        }
        guard !match.endpoints.isEmpty else { throw Refusal.unknownPath }
        guard let endpoint else {
            let methods = match.endpoints.flatMap(\.methods).joined(separator: ", ")
            throw Refusal(405, "METHOD NOT ALLOWED", allowed: methods)
        }
        return try endpoint.result(of: request, services, last: match.last)
    }

    private func match(_ request: Request) -> Match {
        let segments = request.path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
        let last = segments.last ?? ""
        if let found = endpoints[segments.joined(separator: "/")] { return Match(endpoints: found, last: last) }
        guard segments.count > 1 else { return Match(endpoints: [], last: last) }
        let path = segments.dropLast().joined(separator: "/") + "/"
        return Match(endpoints: endpoints[path] ?? [], last: last)
    }
}
