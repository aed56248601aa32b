// SPDX-License-Identifier: Apache-2.0

/// The server's information about a user's devices.
public struct OwnDevices: Sendable {
    /// The devices, oldest first.
    public let devices: [OwnDevice]
    /// How many backup codes are valid.
    public let backupCodes: Int
}

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

/// An invitation that a user has created for another device.
public struct OwnInvitation: Sendable {
    /// The code that the other device passes to ``MPinClient/startRegistration(_:invitation:userData:serverKey:)``.
    public let code: String
    /// When the code expires, in UTC: `YYYY-MM-DDTHH:MM:SSZ`.
    public let expires: String
}

/// New backup codes. They replace earlier codes when ``MPinClient/confirm(_:by:pin:)`` makes them valid.
public struct BackupCodes: Sendable {
    /// The codes to write down. Each can be used once.
    public let codes: [String]
    /// The number of this set of codes, which confirms them.
    package let batch: Int

    package init(codes: [String], batch: Int) { (self.codes, self.batch) = (codes, batch) }
}
