// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Requests as the C++ client of 2016 makes them with libcurl: its headers, and a connection for each request.
///
/// A body of a PUT is held back until the server asks for it, for a second at most.
struct OldTransport {
    let peer: SocketPeer

    func get(_ path: String) throws -> Answer {
        try exchange("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:42005\r\nAccept: */*\r\nX-MIRACL-OS-Class: linux\r\n\r\n")
    }

    func send(_ method: String, _ path: String, _ body: OldJSON) throws -> Answer {
        let text = body.written()
        var head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:42005\r\nAccept: text/plain\r\n"
        head += "Content-Type: application/json; charset=UTF-8\r\nX-MIRACL-OS-Class: linux\r\n"
        head += "Content-Length: \(text.utf8.count)\r\n"
        guard method == "PUT" else { return try exchange(head + "\r\n" + text) }
        return try exchange(head + "Expect: 100-continue\r\n\r\n", then: text)
    }

    private func exchange(_ text: String, then rest: String? = nil) throws -> Answer {
        let file = try peer.connect()
        defer { close(file) }
        try write(text, file)
        var pending: [UInt8] = []
        if let rest {
            try read(file, into: &pending)
            let asked = "HTTP/1.1 100 Continue\r\n\r\n"
            // A final answer instead would do as well.
            if String(decoding: pending, as: UTF8.self).hasPrefix(asked) {
                pending.removeFirst(asked.utf8.count)
                try write(rest, file)
            }
        }
        while true {
            if Data(pending).range(of: Data("\r\n\r\n".utf8)) != nil {
                let answer = try SocketPeer.parse(pending)
                if answer.body.count >= Int(answer.headers["content-length"] ?? "") ?? 0 { return answer }
            }
            try read(file, into: &pending)
        }
    }

    private func write(_ text: String, _ file: Int32) throws {
        let bytes = Array(text.utf8)
        let sent = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard sent == bytes.count else { throw SocketPeer.Broken() }
    }

    private func read(_ file: Int32, into pending: inout [UInt8]) throws {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(file, $0.baseAddress, $0.count, 0) }
        guard count > 0 else { throw SocketPeer.Broken() }
        pending += buffer.prefix(count)
    }
}
