// SPDX-License-Identifier: Apache-2.0

/// A device of the user, as the server lists it.
public struct OwnDevice: Sendable {
    /// The device's number among the user's devices.
    public let number: Int
    /// The name that the device was registered with; may be empty.
    public let name: String
    /// The server's word for its state, such as `REGISTERED`.
    public let state: String
    /// When the device was registered, in UTC: `YYYY-MM-DDTHH:MM:SSZ`.
    public let created: String
    /// Whether this device requested the list.
    public let isCurrent: Bool
}
