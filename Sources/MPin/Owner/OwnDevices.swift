// SPDX-License-Identifier: Apache-2.0

/// The server's information about a user's devices.
public struct OwnDevices: Sendable {
    /// The devices, oldest first.
    public let devices: [OwnDevice]
    /// How many backup codes are valid.
    public let backupCodes: Int
}
