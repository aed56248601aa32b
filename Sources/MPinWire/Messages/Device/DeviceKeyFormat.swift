// SPDX-License-Identifier: Apache-2.0

/// The sizes of a device key and its signatures, in bytes.
package enum DeviceKeyFormat {
    /// 04, x and y of a point of P-256.
    package static let publicKey = 65
    /// r and s.
    package static let signature = 64
}
