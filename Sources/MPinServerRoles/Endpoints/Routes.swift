internal import Logging
internal import MPinServerStorage

/// The public routes: from a request to its endpoint and to what that answers.
///
/// A class, as ``Services`` and ``EndpointRow`` are: each request refers to them, and a copy would retain each of their
/// parts.
package final class Routes: Sendable {
    /// What a request is routed to.
    private struct Match: Sendable {
        /// The endpoints at its path.
        let endpoints: [EndpointRow]
        /// The one of them that takes its method.
        let endpoint: EndpointRow?
        /// The last segment of the path.
        let last: Substring

        /// The class of the request. What no endpoint takes needs no write to be refused.
        var requestClass: RequestClass { endpoint?.requestClass ?? .reading }
    }

    private let services: Services
    /// By path; a slash follows the paths that an M-Pin ID follows.
    private let endpoints: [String: [EndpointRow]]

    init(_ services: Services) {
        self.services = services
        let rows = ServerEndpoint.allCases.map(\.row)
        endpoints = Dictionary(grouping: rows.filter { $0.isOffered(services.context.configuration) }) {
            String($0.path.dropFirst()) + ($0.takesMPinID ? "/" : "")
        }
    }

    /// The address the world sees; empty where there is none.
    package var publicURL: String { services.page.publicURL }

    /// How many mails wait to be sent.
    package var waitingMails: Int { services.registrations.mail?.queue.length ?? 0 }

    /// A request for the settings, which passes all of the server and changes nothing, and the status of its answer.
    package static var probe: (target: String, status: Int) { (ServerEndpoint.clientSettings.path, 200) }

    /// Finds the endpoint of a request.
    package func route(_ request: Request) -> RoutedRequest {
        let match = match(request)
        return RoutedRequest(match.requestClass) { [self] in answer(to: request, match) }
    }

    private func answer(to request: Request, _ match: Match) -> RouteResult {
        guard request.body.count <= Request.largestBody else { return .now(.refusal(Refusal(413, "Too large"))) }
        let logger = services.context.logger
        do {
            return try result(of: request, match)
        } catch let refusal as Refusal {
            return .now(services.page.stray(refusal, request) ?? .refusal(refusal))
        } catch let fault as ServerError {
            logger.error("request failed", metadata: ["reason": "\(fault.message)"])
            if fault.kind == .unavailable { return .now(.refusal(.locked)) }
            return .now(.refusal(.failure))
        } catch {
            logger.error("request failed", metadata: ["reason": "\(error)"])
            return .now(.refusal(.failure))
        }
    }

    /// Answers a request.
    ///
    /// - Throws: ``Refusal``; any other error is the server's own failure.
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
