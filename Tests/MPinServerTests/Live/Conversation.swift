// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// Several requests over one connection, as a login client makes them. Used by one thread at a time.
final class Conversation: Peer, @unchecked Sendable {
    private let file: Int32
    private var pending: [UInt8] = []

    init(_ peer: SocketPeer) throws { file = try peer.connect() }

    deinit { close(file) }

    func send(_ method: String, _ target: String, _ body: [UInt8]) throws -> Answer {
        let head = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.count)\r\n\r\n"
        let bytes = Array(head.utf8) + body
        let sent = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard sent == bytes.count else { throw SocketPeer.Broken() }
        while true {
            if let answer = try complete() { return answer }
            var buffer = [UInt8](repeating: 0, count: 16_384)
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(file, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { throw SocketPeer.Broken() }
            pending += buffer.prefix(count)
        }
    }

    private func complete() throws -> Answer? {
        guard Data(pending).range(of: Data("\r\n\r\n".utf8)) != nil else { return nil }
        let answer = try SocketPeer.parse(pending)
        guard let length = Int(answer.headers["content-length"] ?? ""), answer.body.count >= length else { return nil }
        pending = []
        return answer
    }
}
