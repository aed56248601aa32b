// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import MPinServerRoles
package import MPinServerStorage
internal import SystemFiles

/// The state of a server at a glance.
package struct ServerStatus {
    /// The process that serves the directory; nil if none does.
    package let process: Int32?
    /// What the running server reports as wrong; nil if nothing, or if it has no status socket.
    package let fault: String?
    /// When the server was last started, and what the audit log says about it; nil if it never was.
    package let start: AuditLine?
    package let publicURL: String?
    /// Days until the certificate of the running server expires; nil without TLS.
    package let certificateDays: Double?
    package let users: [UserRecord]
    package let lastBackup: Timestamp?
    package let fingerprint: String?

    package init(_ administrator: Administrator, of directory: ServerDirectory) throws(ServerError) {
        process = ServerLock.server(of: directory)
        let socket = process == nil ? nil : ServerLock.statusSocket(of: directory)
        fault = socket.flatMap(Self.fault)
        certificateDays = socket.flatMap(Self.certificateDays)
        start = try administrator.store.lastEvent(.started)
        lastBackup = try administrator.store.lastEvent(.backedUp)?.time
        publicURL = try administrator.publicURL()
        users = try administrator.users()
        fingerprint = try? directory.fingerprint()
    }

    /// The devices that can log in, and those that are blocked after wrong PINs.
    package var devices: (usable: Int, blocked: Int) {
        let states = users.flatMap { $0.devices.map(\.state) }
        return (states.count { $0 == .registered }, states.count { $0 == .blocked })
    }

    private static func fault(_ socket: String) -> String? {
        guard let body = get("/healthz", at: socket) else { return "the server does not answer on \(socket)" }
        guard let report = try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any] else {
            return "the server's report cannot be read"
        }
        let faults = report.compactMap { part, value in
            (value as? String).flatMap { $0 == "ok" ? nil : "\(part): \($0)" }
        }
        return report["ok"] as? Bool == true ? nil : faults.sorted().joined(separator: "; ")
    }

    private static func certificateDays(_ socket: String) -> Double? {
        let name = "mpin_certificate_days_left "
        let line = get("/metrics", at: socket)?.split(separator: "\n").first { $0.hasPrefix(name) }
        return line.flatMap { Double($0.dropFirst(name.count)) }
    }

    /// The body of an answer of the status socket; nil without one.
    private static func get(_ path: String, at socket: String) -> String? {
        let request = "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        guard let connection = try? SystemFile.socket(socket, patience: 5), connection.send(request),
            let answer = try? connection.read(upTo: 1 << 18)
        else { return nil }
        let text = String(decoding: answer, as: UTF8.self)
        return text.range(of: "\r\n\r\n").map { String(text[$0.upperBound...]) }
    }
}
