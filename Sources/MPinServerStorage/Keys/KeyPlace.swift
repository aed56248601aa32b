// SPDX-License-Identifier: Apache-2.0

/// Where the sealing key of a server is stored.
package enum KeyPlace: String, Sendable, CaseIterable {
    /// In a file in the server's directory.
    case file
    /// With systemd, which decrypts it for the unit.
    case credential
    /// Sealed to the TPM of this machine, in a file in the server's directory.
    case tpm
}
