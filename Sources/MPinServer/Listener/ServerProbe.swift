// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinServerRoles

/// Asks a server at a socket of this host for its settings, like a client that logs in.
package struct ServerProbe {
    private let path: String

    package init(path: String) { self.path = path }

    /// Whether it answers within some seconds.
    package func isAnswered(seconds: Int = 5) -> Bool {
        let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard file >= 0 else { return false }
        defer { close(file) }
        var patience = timeval(tv_sec: seconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            _ = unsafe setsockopt(file, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
        guard SocketFile(path: path).connect(file) == 0 else { return false }
        let request = Array(
            "GET \(Routes.probe.target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        let sent = unsafe request.withUnsafeBytes {
            unsafe send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard sent == request.count else { return false }
        var answer = [UInt8](repeating: 0, count: 12)
        let count = unsafe answer.withUnsafeMutableBytes { answer in
            unsafe recv(file, answer.baseAddress, answer.count, Int32(MSG_WAITALL))
        }
        return count == answer.count && answer.elementsEqual("HTTP/1.1 200".utf8)
    }
}
