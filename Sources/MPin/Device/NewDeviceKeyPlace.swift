// SPDX-License-Identifier: Apache-2.0

/// Where the key of a new registration is made.
package enum NewDeviceKeyPlace: Sendable {
    /// In the record.
    case file
    /// In the TPM if one is usable, otherwise in the record.
    case tpmIfUsable
    /// In the TPM; without one, the registration fails.
    case tpm
}
