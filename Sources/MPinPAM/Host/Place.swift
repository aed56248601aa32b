// SPDX-License-Identifier: Apache-2.0
package import CMPinSystem
package import MPinWire

/// Where the user of a process is, by the login sessions of the system.
package enum Place: Sendable {
    /// In a session at this machine.
    case local
    /// Not known to be at this machine, with the reason as a clause.
    case remote(reason: ByteText)
    /// In no session, as daemons are, with that as a clause.
    case outside(reason: ByteText)
}

extension Place {
    /// Converts what `mpin_place_of` has found.
    package init(_ place: mpin_place) {
        let reason = unsafe withUnsafeBytes(of: place.reason) { bytes in
            unsafe ByteText(Array(bytes.prefix { $0 != 0 }))
        }
        self.init(kind: place.kind.rawValue, reason: reason)
    }

    /// An unknown kind is remote.
    package init(kind: UInt32, reason: ByteText) {
        switch kind {
        case MPIN_PLACE_LOCAL.rawValue: self = .local
        case MPIN_PLACE_OUTSIDE.rawValue: self = .outside(reason: reason)
        default: self = .remote(reason: reason)
        }
    }
}
