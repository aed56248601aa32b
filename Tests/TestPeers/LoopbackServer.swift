// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The content of a request.
package struct Exchange: Sendable {
    package let method: String
    package let path: String
    package let query: String
    package let body: [UInt8]
    /// The lines between the first and the body.
    package let headers: [String]

    package init(method: String, path: String, query: String, body: [UInt8], headers: [String] = []) {
        (self.method, self.path, self.query, self.body, self.headers) = (method, path, query, body, headers)
    }
}

/// What to answer; `nil` bytes close the connection without a word.
package struct Answer: Sendable {
    package var status = 200
    package var body: [UInt8] = []
    package var headers = ""
    /// Bytes that replace a whole answer.
    package var raw: [UInt8]?
    package var delay = 0.0

    package init(
        status: Int = 200, body: [UInt8] = [], headers: String = "", raw: [UInt8]? = nil, delay: Double = 0
    ) {
        (self.status, self.body, self.headers, self.raw, self.delay) = (status, body, headers, raw, delay)
    }

    package static func json(_ body: [UInt8]) -> Answer { Answer(body: body) }
    package static func status(_ status: Int, _ text: String = "") -> Answer {
        Answer(status: status, body: Array(text.utf8))
    }
    package static var hangUp: Answer { Answer(raw: []) }
}

/// An HTTP server on a Unix socket that gives the answers of a test; for what a real server does not do on demand.
package final class LoopbackServer: @unchecked Sendable {
    package let path: String
    private let descriptor: Int32
    private let lock = NSLock()
    private var answering: @Sendable (Exchange) -> Answer
    private var exchanges: [Exchange] = []
    private var accepted = 0

    package init(directory: String, _ answering: @escaping @Sendable (Exchange) -> Answer) throws {
        path = directory + "/s.sock"
        self.answering = answering
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let listener = descriptor
        let bound = SocketAddress.file(path).pass { bind(listener, $0, $1) }
        guard bound == 0, listen(descriptor, 64) == 0 else { throw POSIXError(.EADDRINUSE) }
        let thread = Thread { [self] in acceptAll() }
        thread.start()
    }

    deinit { close(descriptor) }

    package func stop() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    package var url: String { "unix:" + path }

    /// The requests so far, as "METHOD /path".
    package var requests: [String] { lock.withLock { exchanges.map { $0.method + " " + $0.path } } }

    /// All that has come so far: requests with their lines and bodies.
    package var received: String {
        lock.withLock {
            exchanges.map { exchange in
                ([exchange.method, exchange.path, exchange.query] + exchange.headers).joined(separator: "\n")
                    + String(decoding: exchange.body, as: UTF8.self)
            }.joined(separator: "\n")
        }
    }

    package var connections: Int { lock.withLock { accepted } }

    package func forget() { lock.withLock { exchanges = [] } }

    package func answer(_ answering: @escaping @Sendable (Exchange) -> Answer) {
        lock.withLock { self.answering = answering }
    }

    private func acceptAll() {
        while true {
            let connection = accept(descriptor, nil, nil)
            guard connection >= 0 else { return }
            lock.withLock { accepted += 1 }
            Thread { [self] in serve(connection) }.start()
        }
    }

    private func serve(_ connection: Int32) {
        defer { close(connection) }
        var buffered: [UInt8] = []
        while let exchange = LoopbackServer.read(connection, &buffered) {
            let answering = lock.withLock {
                exchanges.append(exchange)
                return self.answering
            }
            let answer = answering(exchange)
            if answer.delay > 0 { Thread.sleep(forTimeInterval: answer.delay) }
            var bytes = answer.raw ?? []
            if answer.raw == nil {
                let head =
                    "HTTP/1.1 \(answer.status) Reason\r\n\(answer.headers)Content-Length: \(answer.body.count)\r\n\r\n"
                bytes = Array(head.utf8) + answer.body
            }
            guard
                bytes.withUnsafeBytes({
                    send(connection, $0.baseAddress, $0.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
                }) == bytes.count,
                answer.raw == nil
            else { return }
        }
    }

    private static func read(_ connection: Int32, _ buffered: inout [UInt8]) -> Exchange? {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let head = buffered.firstRange(of: end) {
                let lines = String(decoding: buffered[..<head.lowerBound], as: UTF8.self).components(
                    separatedBy: "\r\n")
                let length =
                    lines.first { $0.lowercased().hasPrefix("content-length:") }
                    .flatMap { Int($0.split(separator: ":")[1].trimmingCharacters(in: .whitespaces)) } ?? 0
                if buffered.count >= head.upperBound + length {
                    let words = lines[0].split(separator: " ").map(String.init)
                    let target = words[1].split(separator: "?", maxSplits: 1).map(String.init)
                    let exchange = Exchange(
                        method: words[0], path: target[0], query: target.count > 1 ? target[1] : "",
                        body: Array(buffered[head.upperBound..<head.upperBound + length]),
                        headers: Array(lines.dropFirst()))
                    buffered.removeFirst(head.upperBound + length)
                    return exchange
                }
            }
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = chunk.withUnsafeMutableBytes { recv(connection, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { return nil }
            buffered += chunk.prefix(count)
        }
    }
}
