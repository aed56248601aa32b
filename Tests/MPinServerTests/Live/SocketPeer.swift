// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Speaks HTTP/1.1 over a socket or a loopback port of this host, one connection a request.
struct SocketPeer: Peer {
    struct Broken: Error {}

    /// The path of a socket; empty for a port.
    var path = ""
    var port: UInt16 = 0
    var headers: [String] = ["Content-Type: application/json"]
    /// What each connection begins with.
    var beginning: [UInt8] = []

    func send(_ method: String, _ target: String, _ body: [UInt8]) throws -> Answer {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        text += "Content-Length: \(body.count)\r\n" + headers.map { $0 + "\r\n" }.joined() + "\r\n"
        let answer = try Self.parse(exchange(Array(text.utf8) + body))
        // A server that was killed may leave half an answer.
        if let length = Int(answer.headers["content-length"] ?? ""), answer.body.count < length { throw Broken() }
        return answer
    }

    /// Sends bytes and reads until the other side closes.
    func exchange(_ bytes: [UInt8]) throws -> [UInt8] {
        let file = try connect()
        defer { close(file) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(file, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { return answer }
            answer += buffer.prefix(count)
        }
    }

    /// A connection of its own.
    func connect() throws -> Int32 {
        let file = path.isEmpty ? try connectToPort() : try connectToSocket()
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        unsafe setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        if !beginning.isEmpty {
            unsafe beginning.withUnsafeBytes {
                _ = unsafe Glibc.send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
        }
        return file
    }

    private func connectToPort() throws -> Int32 {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(file)
            throw Broken()
        }
        return file
    }

    private func connectToSocket() throws -> Int32 {
        let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: Array(path.utf8)) }
        let result = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            close(file)
            throw Broken()
        }
        return file
    }

    static func parse(_ bytes: [UInt8]) throws -> Answer {
        guard let end = Data(bytes).range(of: Data("\r\n\r\n".utf8)) else { throw Broken() }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count > 1, let status = Int(words[1]) else { throw Broken() }
        var answer = Answer(status: status, body: Array(bytes[end.upperBound...]))
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            answer.headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        return answer
    }
}
