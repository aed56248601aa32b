// SPDX-License-Identifier: Apache-2.0

/// A code that admits a registration, as keyed hashes.
package enum AdmissionCode: Sendable {
    case invitation([UInt8])
    /// A backup code, hashed under the present key and under the keys that rotations have retired.
    case backup([[UInt8]])
}
