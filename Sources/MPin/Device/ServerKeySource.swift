// SPDX-License-Identifier: Apache-2.0
package import MPinWire

/// How a registration got the key of its server.
package enum ServerKeySource: Sendable, CaseIterable {
    /// The server proved that it knows the enrollment code.
    case invitation
    /// A person named the key's fingerprint.
    case fingerprint
    /// The server that TLS, or the socket's owner, showed at that time.
    case tls

    /// The name in the record.
    package var name: Constant {
        switch self {
        case .invitation: "invitation"
        case .fingerprint: "fingerprint"
        case .tls: "tls"
        }
    }

    /// The source with that name, or `nil`.
    package init?(name: ByteText) {
        for source in ServerKeySource.allCases where source.name.matches(name.bytes.span) {
            self = source
            return
        }
        return nil
    }
}
