// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestPeers
import Testing

/// A socket that replaces the system's log.
final class AgentLog {
    private let file: Int32

    init(_ path: String) throws {
        file = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let descriptor = file
        let result = SocketAddress.file(path).pass { bind(descriptor, $0, $1) }
        try #require(result == 0 && chmod(path, 0o666) == 0)
    }

    deinit { close(file) }

    /// The next line, without time and process; nil where none comes.
    func line() -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(file, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        let text = String(decoding: bytes[..<count], as: UTF8.self)
        return text.split(separator: "]: ", maxSplits: 1).last.map(String.init) ?? text
    }
}
