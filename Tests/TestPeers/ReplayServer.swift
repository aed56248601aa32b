// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A server that answers from a recording: it expects the requests of one call after the other, and no others.
package final class ReplayServer: @unchecked Sendable {
    private let lock = NSLock()
    private var expected: [Recording.Request] = []
    private var names: [String: String] = [:]
    private var faults: [String] = []
    private var hungUpOn: String?

    package init() {}

    /// Sets what the next call must ask for.
    ///
    /// - Parameter names: the values of `<mpinID>` and the like.
    package func expect(_ requests: [Recording.Request], names: [String: String]) {
        lock.withLock {
            expected = requests.filter { $0.sender != .onlyTheirs }
            self.names = names
        }
    }

    /// What was wrong since the last call of this, and what has not been asked for.
    package func takeFaults() -> [String] {
        lock.withLock {
            let all = faults + expected.map { "not sent: \($0.method) \($0.path)" }
            (faults, expected) = ([], [])
            return all
        }
    }

    package func answer(_ exchange: Exchange) -> Answer {
        lock.withLock {
            let sent = exchange.method + " " + exchange.path
            // What may be sent twice is repeated once on a new connection.
            if sent == hungUpOn { return .hangUp }
            hungUpOn = nil
            guard !expected.isEmpty else {
                faults.append("nothing was to be sent, but " + sent)
                return .status(599)
            }
            let request = expected.removeFirst()
            let path = named(request.path)
            if sent != request.method + " " + path {
                faults.append("\(sent) instead of \(request.method) \(path)")
                return .status(599)
            }
            if let query = request.query.map(named), ReplayServer.pairs(query) != ReplayServer.pairs(exchange.query) {
                faults.append("\(sent) with the query \(exchange.query)")
            }
            check(exchange, request)
            if request.answer == nil, exchange.method == "GET" { hungUpOn = sent }
            return request.answer ?? .hangUp
        }
    }

    private func check(_ exchange: Exchange, _ request: Recording.Request) {
        let sent = String(decoding: exchange.body, as: UTF8.self)
        guard let body = request.body else {
            if !exchange.body.isEmpty, exchange.method == "GET" { faults.append("\(request.path) with a body") }
            return
        }
        if !agrees(sent, named(body)) { faults.append("\(request.path) says \(sent)") }
        if let theirs = request.theirBody, agrees(sent, named(theirs)) {
            faults.append("\(request.path) was to differ: \(request.reason ?? "?")")
        }
    }

    private func named(_ text: String) -> String {
        names.reduce(text) { $0.replacingOccurrences(of: "<\($1.key)>", with: $1.value) }
    }

    private static func pairs(_ query: String) -> [String] { query.components(separatedBy: "&").sorted() }

    private func agrees(_ sent: String, _ expected: String) -> Bool {
        let read = { (text: String) in try? JSONSerialization.jsonObject(with: Data(text.utf8)) }
        return ReplayServer.agrees(read(sent), read(expected))
    }

    /// Whether both are the same JSON, member for member; the text `<point>` matches 65 bytes in hexadecimal.
    private static func agrees(_ sent: Any?, _ expected: Any?) -> Bool {
        switch (sent, expected) {
        case (let sent as [String: Any], let expected as [String: Any]):
            return Set(sent.keys) == Set(expected.keys) && expected.allSatisfy { agrees(sent[$0.key], $0.value) }
        case (let sent as String, "<point>" as String):
            return sent.utf8.count == 130 && sent.hasPrefix("04")
                && sent.allSatisfy { "0123456789abcdef".contains($0) }
        case (let sent as NSObject, let expected as NSObject): return sent.isEqual(expected)
        default: return false
        }
    }
}
