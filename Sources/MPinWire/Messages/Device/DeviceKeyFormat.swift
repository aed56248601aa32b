/// The sizes of what a device's key is made of and makes, in bytes.
package enum DeviceKeyFormat {
    /// 04, x and y of a point of P-256.
    package static let publicKey = 65
    /// r and s.
    package static let signature = 64
}
