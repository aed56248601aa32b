// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

/// How a user authenticates.
package enum LoginMethod: Sendable, CaseIterable {
    /// The PIN, typed at the machine that has the token.
    case pin
    /// Approval on another enrolled device.
    case device
    /// A one-time password made on another enrolled device.
    case otp

    /// The name in a configuration.
    package var name: StaticString {
        switch self {
        case .pin: "pin"
        case .device: "device"
        case .otp: "otp"
        }
    }

    /// The method with that name.
    init?(name: ByteText) {
        for known in LoginMethod.allCases where name.matches(known.name) {
            self = known
            return
        }
        return nil
    }
}
