// SPDX-License-Identifier: Apache-2.0

/// What a login is for.
enum LoginPurpose: Sendable {
    /// The device itself logs in.
    case login
    /// The device requests a one-time password, with these six digits.
    case password([UInt8])
    /// The device approves a cross-device session, by its ID; nil if the code was invalid when it was presented.
    case session(Int?)
}
