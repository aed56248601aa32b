// SPDX-License-Identifier: Apache-2.0
import Foundation

/// HTTP/1.1 over one connection to the server's socket, as a login client makes it.
final class Connection {
    private let file: Int32
    private var buffer = [UInt8](repeating: 0, count: 16_384)

    init(_ path: String) throws {
        file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        guard Connection.address(path, { connect(file, $0, $1) }) == 0 else { throw Failure("cannot reach \(path)") }
    }

    deinit { close(file) }

    /// Sends a request and returns the body of the answer, which has to be 200.
    func send(_ method: String, _ target: String, _ body: [UInt8] = []) throws -> [UInt8] {
        let head = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.count)\r\n\r\n"
        let bytes = Array(head.utf8) + body
        guard Glibc.send(file, bytes, bytes.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL)) == bytes.count else {
            throw Failure("the server hung up")
        }
        var received: [UInt8] = []
        while true {
            let count = recv(file, &buffer, buffer.count, 0)
            guard count > 0 else { throw Failure("the server hung up or is silent") }
            received += buffer.prefix(count)
            guard let end = received.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
            let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
            let length = head.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
                .flatMap { Int($0.split(separator: " ").last ?? "") }
            guard received.count >= end.upperBound + (length ?? 0) else { continue }
            guard head.hasPrefix("HTTP/1.1 200") else { throw Failure("\(method) \(target): \(head.prefix(40))") }
            return Array(received[end.upperBound...])
        }
    }

    /// Whether something listens on a port of this host.
    static func reaches(port: Int) -> Bool {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(file) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// Calls back with the address of a socket.
    static func address(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
