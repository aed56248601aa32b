/// What the server has of a user.
package struct OwnDevices: Sendable {
    package let devices: [OwnDevice]
    /// How many backup codes are good.
    package let backupCodes: Int
}
