// SPDX-License-Identifier: Apache-2.0

/// How a typed PIN becomes the number that is subtracted from the client secret.
///
/// The token remembers which one made it; the server never learns it.
package enum PINScheme: Equatable, Sendable {
    /// Four to six digits stand for their value, so that no two PINs of one length open the same token.
    case decimal
    /// Any text: SHA-256 with a fixed prefix, modulo r.
    case hashed
    /// The string hash of the mobile apps of 2016, for tokens imported from them. Many PINs have the same hash.
    case mobile2016

    /// The name of the scheme in a record.
    package var name: StaticString {
        switch self {
        case .decimal: "decimal"
        case .hashed: "hashed"
        case .mobile2016: "mobile2016"
        }
    }

    /// The scheme with that name; nil if there is none.
    package init?(name: [UInt8]) {
        for scheme in [PINScheme.decimal, .hashed, .mobile2016] where scheme.isNamed(name) {
            self = scheme
            return
        }
        return nil
    }

    private func isNamed(_ bytes: [UInt8]) -> Bool {
        name.withUTF8Buffer { unsafe $0.elementsEqual(bytes) }
    }
}
