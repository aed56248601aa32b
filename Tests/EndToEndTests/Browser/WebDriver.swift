// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers
import Testing

/// Debian's chromedriver as a process, and how to talk to it: the W3C WebDriver protocol, JSON over HTTP.
final class WebDriver: @unchecked Sendable {
    struct Refused: Error { let message: String }

    static let program = "/usr/bin/chromedriver"
    static let browser = "/usr/bin/chromium"

    /// Whether there is a browser, and time for it.
    static let isAvailable: Bool = {
        if ProcessInfo.processInfo.environment["MPIN_FAST"] == "yes" {
            print("note: the page was not opened in a browser, which takes longer than --fast allows")
            return false
        }
        let found = [program, browser].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
        if !found { print("note: chromium and chromium-driver are not there, and the page was opened in no browser") }
        return found
    }()

    private let process: Background
    private let port = Int.random(in: 10_000..<32_000)

    init() async throws {
        process = try Background([Self.program, "--port=\(port)", "--silent"])
        for _ in 0..<2_400 {
            if let status = try? await call("GET", "/status") as? [String: Any], status["ready"] as? Bool == true {
                return
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw Refused(message: "chromedriver does not start")
    }

    /// Makes a call and returns its value.
    @discardableResult
    func call(_ method: String, _ path: String, _ body: [String: Any]? = nil) async throws -> Any? {
        let content = try body.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data()
        let head =
            "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(content.count)\r\nConnection: close\r\n\r\n"
        let answer = try exchange(Data(head.utf8) + content)
        let parts = try #require(answer.range(of: Data("\r\n\r\n".utf8)))
        let value = (try JSONSerialization.jsonObject(with: answer[parts.upperBound...]) as? [String: Any])?["value"]
        guard answer.starts(with: Data("HTTP/1.1 200".utf8)) else {
            throw Refused(message: (value as? [String: Any])?["message"] as? String ?? "no answer")
        }
        return value
    }

    /// Sends bytes, and reads what comes back until it is whole.
    private func exchange(_ bytes: Data) throws -> Data {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { Glibc.close(descriptor) }
        var patience = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let connected = SocketAddress.loopback(port: port).pass { connect(descriptor, $0, $1) }
        guard connected == 0 else { throw Refused(message: "chromedriver is not there") }
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw Refused(message: "chromedriver takes nothing") }
            rest = rest.dropFirst(count)
        }
        var answer = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !Self.isWhole(answer) {
            let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { break }
            answer.append(contentsOf: buffer.prefix(count))
        }
        return answer
    }

    /// Whether an answer has its announced length. It may leave the connection open.
    private static func isWhole(_ answer: Data) -> Bool {
        guard let end = answer.range(of: Data("\r\n\r\n".utf8)) else { return false }
        let head = String(decoding: answer[..<end.lowerBound], as: UTF8.self).lowercased()
        guard let line = head.components(separatedBy: "\r\n").first(where: { $0.hasPrefix("content-length:") }),
            let length = Int(line.dropFirst(15).trimmingCharacters(in: .whitespaces))
        else { return false }
        return answer.distance(from: end.upperBound, to: answer.endIndex) >= length
    }
}
