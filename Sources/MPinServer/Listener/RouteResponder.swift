// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import HummingbirdCore
internal import MPinServerRoles
internal import NIOCore
internal import ServiceLifecycle

/// Passes requests from Hummingbird to the routes, and their responses back.
struct RouteResponder: HTTPResponder {
    let server: any RequestServer
    /// The threads on which the routes may block without delaying other connections.
    let workers: WorkerPools
    let proxies: TrustedProxies
    /// Whether its listener speaks TLS.
    let isTLS: Bool
    /// Whether responses carry `Strict-Transport-Security`.
    private var demandsTLS: Bool { isTLS || server.publicURL.hasPrefix("https://") }

    func respond(to incoming: HummingbirdCore.Request, on channel: any Channel) async throws -> HummingbirdCore.Response
    {
        // A client that has closed its connection meanwhile is answered too: its attempt counts.
        let source = proxies.source(
            of: try await OpenConnection.source(of: channel).get(), forwarded: incoming.headers[.forwardedFor])
        let body = try await Self.body(of: incoming)
        let request = MPinServerRoles.Request(
            method: incoming.method.rawValue, target: incoming.head.path ?? "/", headers: Self.headers(of: incoming),
            body: body ?? [], source: source, isTLS: isTLS)
        let answer: MPinServerRoles.Response
        let routed = server.route(request)
        guard body != nil else {
            server.metrics.count(routed.requestClass, status: 413)
            return response(.refusal(Refusal(413, "Too large")), closes: true)
        }
        switch try await workers.run(routed.requestClass, routed.result) {
        case .now(let response): answer = response
        case .later(let deferred):
            answer = await withGracefulShutdownHandler {
                await deferred.answer()
            } onGracefulShutdown: {
                deferred.abandon()
            }
        }
        server.metrics.count(routed.requestClass, status: answer.status)
        return response(answer, closes: false, hasBody: incoming.method != .head)
    }

    /// The body; nil if it is larger than any valid one.
    private static func body(of request: HummingbirdCore.Request) async throws -> [UInt8]? {
        do {
            return Array(try await request.body.collect(upTo: MPinServerRoles.Request.largestBody).readableBytesView)
        } catch is NIOTooManyBytesError { return nil }
    }

    private static let fields = MPinServerRoles.Request.readHeaders.compactMap { name in
        HTTPField.Name(name).map { (name, $0) }
    }

    /// The headers that routes may read. A repeated header is one list, as in HTTP.
    private static func headers(of request: HummingbirdCore.Request) -> [String: String] {
        var headers: [String: String] = [:]
        for (name, field) in fields { headers[name] = request.headers[field] }
        headers["host"] = request.head.authority
        return headers
    }

    private func response(
        _ answer: MPinServerRoles.Response, closes: Bool, hasBody: Bool = true
    ) -> HummingbirdCore.Response {
        var headers = HTTPFields()
        headers[.contentType] = answer.contentType
        headers[.cacheControl] = "no-store"
        headers[.contentTypeOptions] = "nosniff"
        if closes { headers[.connection] = "close" }
        if demandsTLS { headers[.strictTransportSecurity] = "max-age=31536000" }
        for (name, value) in answer.headers { if let name = HTTPField.Name(name) { headers[name] = value } }
        return HummingbirdCore.Response(
            status: HTTPResponse.Status(code: answer.status), headers: headers,
            body: hasBody ? ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)) : ResponseBody())
    }
}

extension HTTPField.Name {
    fileprivate static let contentTypeOptions = xContentTypeOptions
    fileprivate static let forwardedFor = HTTPField.Name("X-Forwarded-For") ?? xContentTypeOptions
}
