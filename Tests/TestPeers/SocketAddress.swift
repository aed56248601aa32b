// SPDX-License-Identifier: Apache-2.0
import Foundation
package import Glibc

/// Where a socket of a test listens or connects.
package enum SocketAddress {
    case file(String)
    case loopback(port: Int)

    /// Calls `bind` or `connect`, and returns what it returns.
    package func pass(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        switch self {
        case .file(let path):
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            return Self.pass(address, call)
        case .loopback(let port):
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(port).bigEndian
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            return Self.pass(address, call)
        }
    }

    private static func pass<Address>(
        _ address: Address, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, socklen_t(MemoryLayout<Address>.size)) }
        }
    }

    /// A socket that listens on a free port; nil if there is none.
    package static func listener() -> (descriptor: Int32, port: Int)? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        guard loopback(port: 0).pass({ bind(descriptor, $0, $1) }) == 0, listen(descriptor, 8) == 0 else { return nil }
        let isNamed = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return isNamed == 0 ? (descriptor, Int(UInt16(bigEndian: address.sin_port))) : nil
    }
}
