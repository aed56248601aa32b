// SPDX-License-Identifier: Apache-2.0

/// A server that was initialized.
package struct InitializedServer: Sendable {
    /// Its permanent name, in hexadecimal.
    package let serverID: String
    /// The fingerprint of its key; nil for an authority, which has none.
    package let fingerprint: String?
    /// The recovery key, for use without the TPM; nil if the key is in a file.
    package let recovery: RecoveryKey?
}
