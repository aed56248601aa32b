// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers
import Testing

/// The port of a machine's server, whose certificate the server's own key signs. This machine trusts none of it.
struct SelfSigned: ServerAddress {
    let port: Int

    /// Starts the server of a machine again, with a port.
    ///
    /// - Parameters:
    ///   - port: nil for a free one.
    ///   - address: another public address.
    ///   - settings: further settings of the server.
    init(_ machine: Machine, port: Int? = nil, address: String? = nil, settings: String = "") throws {
        machine.kill()
        self.port = try port ?? #require(SocketAddress.freePort())
        let address = address ?? "https://localhost:\(self.port)"
        try machine.write(
            "public_url = \(address)\ntls_self_signed = yes\n" + settings, to: "/server/server.conf")
        machine.addresses = ["127.0.0.1:\(self.port)"]
        try machine.start()
    }

    var url: String { "https://localhost:\(port)" }
}

extension SocketAddress {
    /// A port of 127.0.0.1 on which nothing listens at the moment.
    fileprivate static func freePort() -> Int? {
        guard let (listener, port) = listener() else { return nil }
        close(listener)
        return port
    }
}
