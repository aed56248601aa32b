// SPDX-License-Identifier: Apache-2.0

/// A code that admits a registration, as a keyed hash.
package enum AdmissionCode: Sendable {
    case invitation([UInt8])
    case backup([UInt8])
}
