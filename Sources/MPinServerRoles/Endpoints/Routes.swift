// SPDX-License-Identifier: Apache-2.0

/// The public routes, which lead from a request to its endpoint and its answer.
///
/// A class, like ``Services`` and ``EndpointRow``: each request refers to them, and a copy would retain each of their
/// parts.
package final class Routes: Sendable {
    /// The result of routing a request.
    private struct Match: Sendable {
        /// The endpoints at its path.
        let endpoints: [EndpointRow]
        /// The endpoint among them that accepts the method.
        let endpoint: EndpointRow?
        let last: Substring

        /// The class of the request. A request without an endpoint is refused, which needs no write.
        var requestClass: RequestClass { endpoint?.requestClass ?? .reading }
    }

    private let services: Services
    /// By path. A slash follows the paths that are followed by an M-Pin ID.
    private let endpoints: [String: [EndpointRow]]

    init(_ services: Services) {
        self.services = services
        let rows = ServerEndpoint.allCases.map(\.row)
        endpoints = Dictionary(grouping: rows.filter { $0.isOffered(services.context.configuration) }) {
            String($0.path.dropFirst()) + ($0.takesMPinID ? "/" : "")
        }
    }

    package var publicURL: String { services.page.publicURL }

    package var waitingMails: Int { services.registrar.mail?.queue.places.count ?? 0 }

    /// A request for the settings, which involves all of the server and changes nothing, and the status of its answer.
    package static var probe: (target: String, status: Int) { (ServerEndpoint.clientSettings.path, 200) }

    package func route(_ request: Request) -> RoutedRequest {
        let match = match(request)
        return RoutedRequest(match.requestClass) { [self] in answer(to: request, match) }
    }

    private func answer(to request: Request, _ match: Match) -> RouteResult {
        guard request.body.count <= Request.largestBody else { return .now(.refusal(Refusal(413, "Too large"))) }
        do { return try result(of: request, match) } catch {
            let refusal = Refusal.of(error, services.context.logger)
            return .now(services.page.stray(refusal, request) ?? .refusal(refusal))
        }
    }

    /// Answers a request.
    ///
    /// - Throws: ``Refusal``. Any other error is a failure of the server.
    private func result(of request: Request, _ match: Match) throws -> RouteResult {
        if request.method == "OPTIONS" { return .now(.empty) }
        let endpoint = match.endpoint
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
        var found = endpoints[segments.joined(separator: "/")]
        if found == nil, segments.count > 1 { found = endpoints[segments.dropLast().joined(separator: "/") + "/"] }
        let rows = found ?? []
        return Match(endpoints: rows, endpoint: rows.first { $0.methods.contains(request.method) }, last: last)
    }
}
