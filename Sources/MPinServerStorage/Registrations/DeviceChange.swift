// SPDX-License-Identifier: Apache-2.0

/// The outcome of an administrator's change of a user's devices.
package enum DeviceChange: Sendable {
    case none
    case noDevice
    /// The device is in a state that the change does not apply to.
    case unfit(RegistrationRecord)
    /// The numbers of the changed devices.
    case changed([Int])
}
