// SPDX-License-Identifier: Apache-2.0

/// A server that was initialized.
package struct InitializedServer: Sendable {
    /// Its permanent name, 32 hexadecimal digits.
    package let serverID: String
    /// The recovery key, for use without the TPM; nil if the key is in a file.
    package let recovery: RecoveryKey?
}
