internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// What the status socket answers: whether the server is well, and its metrics.
struct StatusResponder: HTTPResponder {
    struct Context: InitializableFromSource {
        init(source: ApplicationRequestContextSource) {}
    }

    let health: HealthCheck
    let metrics: MetricsReport

    func respond(to request: Hummingbird.Request, context: Context) async throws -> Hummingbird.Response {
        let path = (request.head.path ?? "/").prefix { $0 != "?" }
        guard ["/healthz", "/metrics"].contains(path) else {
            return response(.notFound, "text/plain; charset=utf-8", "There are /healthz and /metrics.\n", request)
        }
        guard [.get, .head].contains(request.method) else {
            return response(.methodNotAllowed, "text/plain; charset=utf-8", "Use GET.\n", request)
        }
        if path == "/metrics" { return response(.ok, PrometheusText.contentType, await metrics.text(), request) }
        let report = await health.all()
        return response(report.isGood ? .ok : .serviceUnavailable, "application/json", report.json, request)
    }

    private func response(
        _ status: HTTPResponse.Status, _ contentType: String, _ text: String, _ request: Hummingbird.Request
    ) -> Hummingbird.Response {
        let hasBody = request.method != .head
        return Hummingbird.Response(
            status: status, headers: [.contentType: contentType, .cacheControl: "no-store"],
            body: hasBody ? ResponseBody(byteBuffer: ByteBuffer(string: text)) : ResponseBody())
    }
}
