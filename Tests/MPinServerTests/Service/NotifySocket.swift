// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A service manager as a server sees it: a datagram socket that gets lines.
final class NotifySocket {
    struct Silent: Error { let wanted: String }

    /// As `NOTIFY_SOCKET` has it.
    let name: String
    private let file: Int32

    init(isAbstract: Bool = false) throws {
        let plain = NSTemporaryDirectory() + "mpin-notify-" + UUID().uuidString.prefix(8)
        name = isAbstract ? "@" + plain : plain
        file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = (isAbstract ? [0] : []) + Array(plain.utf8)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let result = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(file, $0, size) }
        }
        guard file >= 0, result == 0 else { throw Silent(wanted: "a socket") }
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        unsafe setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(file)
        unlink(name)
    }

    /// The lines of the next datagram, by the name before their `=`.
    func next() throws -> [String: String] {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(file, $0.baseAddress, $0.count, 0) }
        guard count > 0 else { throw Silent(wanted: "anything") }
        var lines: [String: String] = [:]
        for line in String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            lines[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
        }
        return lines
    }

    /// The next datagram with such a line.
    ///
    /// - Returns: it, and all that came before it.
    func next(with key: String) throws -> (lines: [String: String], before: [[String: String]]) {
        var before: [[String: String]] = []
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            let lines = try next()
            if lines[key] != nil { return (lines, before) }
            before.append(lines)
        }
        throw Silent(wanted: key)
    }
}
