// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import HummingbirdCore
internal import MPinServerRoles
internal import MPinServerStorage
internal import NIOCore

/// The health of the server, its metrics, and on the status socket a backup for `mpin-server backup`.
struct StatusResponder: HTTPResponder {
    let health: @Sendable () async -> HealthReport
    let metrics: @Sendable () async -> String
    /// Nil on a port, whose clients are unknown.
    let backups: BackupSource?

    /// The path that `mpin-server backup` requests.
    static let backupPath = "/backup"
    static let takenHeader = "backup-taken"

    func respond(to request: HummingbirdCore.Request, on channel: any Channel) async throws -> HummingbirdCore.Response
    {
        let path = (request.head.path ?? "/").prefix { $0 != "?" }
        if path == Self.backupPath, let backups {
            guard request.method == .post else {
                return response(.methodNotAllowed, "text/plain; charset=utf-8", "Use POST.\n", request)
            }
            return await backup(from: backups, request)
        }
        guard ["/healthz", "/metrics"].contains(path) else {
            return response(.notFound, "text/plain; charset=utf-8", "Not found. Use /healthz or /metrics.\n", request)
        }
        guard [.get, .head].contains(request.method) else {
            return response(.methodNotAllowed, "text/plain; charset=utf-8", "Use GET.\n", request)
        }
        if path == "/metrics" { return response(.ok, PrometheusText.contentType, await metrics(), request) }
        let report = await health()
        return response(report.isGood ? .ok : .serviceUnavailable, "application/json", report.json, request)
    }

    /// Makes a backup, and sends it while it is read from the disk.
    private func backup(from backups: BackupSource, _ request: HummingbirdCore.Request) async
        -> HummingbirdCore.Response
    {
        let snapshot: BackupSnapshot
        do { snapshot = try await backups.make() } catch {
            let reason = (error as? ServerError)?.message ?? "\(error)"
            return response(.serviceUnavailable, "text/plain; charset=utf-8", reason + "\n", request)
        }
        var headers: HTTPFields = [.contentType: "application/octet-stream", .cacheControl: "no-store"]
        if let name = HTTPField.Name(Self.takenHeader) { headers[name] = snapshot.taken.zulu }
        return HummingbirdCore.Response(
            status: .ok, headers: headers,
            body: ResponseBody(contentLength: snapshot.size) { writer in
                var offset = 0
                while offset < snapshot.size {
                    let bytes = try await backups.read(snapshot, at: offset)
                    try await writer.write(ByteBuffer(bytes: bytes))
                    offset += bytes.count
                }
                try await writer.finish(nil)
            })
    }

    private func response(
        _ status: HTTPResponse.Status, _ contentType: String, _ text: String, _ request: HummingbirdCore.Request
    ) -> HummingbirdCore.Response {
        let hasBody = request.method != .head
        return HummingbirdCore.Response(
            status: status, headers: [.contentType: contentType, .cacheControl: "no-store"],
            body: hasBody ? ResponseBody(byteBuffer: ByteBuffer(string: text)) : ResponseBody())
    }
}
