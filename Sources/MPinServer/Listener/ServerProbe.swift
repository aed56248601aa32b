// SPDX-License-Identifier: Apache-2.0
internal import MPinServerRoles
internal import SystemFiles

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
