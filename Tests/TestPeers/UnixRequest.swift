// SPDX-License-Identifier: Apache-2.0
import Foundation

/// One HTTP request over a Unix socket, as any program may make it.
package enum UnixRequest {
    /// Sends a request and reads the answer, with the lines of its head; `nil` when the server is gone or hangs up.
    ///
    /// - Parameter headers: lines of the request's head beyond those that it needs.
    package static func send(_ exchange: Exchange, headers: [String] = [], to path: String) -> Answer? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        let connected = SocketAddress.file(path).pass { connect(descriptor, $0, $1) }
        guard connected == 0 else { return nil }
        let target = exchange.query.isEmpty ? exchange.path : exchange.path + "?" + exchange.query
        let head =
            "\(exchange.method) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            + headers.map { $0 + "\r\n" }.joined() + "Content-Length: \(exchange.body.count)\r\n\r\n"
        let bytes = Array(head.utf8) + exchange.body
        let sent = bytes.withUnsafeBytes {
            Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
        }
        guard sent == bytes.count else { return nil }
        var received: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = chunk.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { break }
            received += chunk.prefix(count)
        }
        guard let end = received.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let line = String(decoding: received.prefix { $0 != 13 }, as: UTF8.self).split(separator: " ")
        guard line.count > 1, let status = Int(line[1]) else { return nil }
        let lines = String(decoding: received[..<end.lowerBound], as: UTF8.self)
        return Answer(status: status, body: Array(received[end.upperBound...]), headers: lines)
    }
}
