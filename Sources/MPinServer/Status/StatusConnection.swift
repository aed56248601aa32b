// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import MPinServerRoles
internal import SystemFiles

/// A connection to the status socket of the server of a directory.
struct StatusConnection: ~Copyable {
    let file: SystemFile

    /// - Parameter patience: how many seconds the server may be silent.
    /// - Returns: nil unless root or the owner of the directory listens there.
    init?(of directory: ServerDirectory, patience: Int) {
        guard let path = ServerLock.statusSocket(of: directory),
            let file = try? SystemFile.socket(path, patience: patience), let peer = file.peer,
            peer == 0 || peer == FileFacts(of: directory.path)?.owner
        else { return nil }
        self.file = file
    }

    /// Requests a page.
    ///
    /// - Returns: its body; nil without an answer.
    static func get(_ path: String, of directory: ServerDirectory) -> String? {
        guard let connection = StatusConnection(of: directory, patience: 5) else { return nil }
        let request = "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        guard connection.file.send(request), let answer = try? connection.file.read(upTo: 1 << 18) else { return nil }
        let text = String(decoding: answer, as: UTF8.self)
        return text.range(of: "\r\n\r\n").map { String(text[$0.upperBound...]) }
    }

    /// The answer about the parts of the server, by their names; nil without one.
    static func health(of directory: ServerDirectory) -> [String: Any]? {
        get("/healthz", of: directory).flatMap {
            try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
    }
}

/// Asks a server at a socket of this host for its settings, like a client that logs in.
package struct ServerProbe {
    private let path: String

    package init(path: String) { self.path = path }

    /// Whether it answers within some seconds.
    package func isAnswered(seconds: Int = 5) -> Bool {
        let request = "GET \(Routes.probe.target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        guard let connection = try? SystemFile.socket(path, patience: seconds), connection.send(request),
            let answer = try? connection.read(upTo: 12)
        else { return false }
        return answer.elementsEqual("HTTP/1.1 200".utf8)
    }

    /// What the status socket of a directory's server reports about its addresses: `ok`, or why one is closed; nil
    /// without an answer.
    package static func listenerState(of directory: ServerDirectory) -> String? {
        StatusConnection.health(of: directory)?[HealthReport.Part.listener.rawValue] as? String
    }
}
