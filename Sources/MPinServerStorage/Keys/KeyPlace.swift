/// Where the sealing key of a server lies.
package enum KeyPlace: String, Sendable, CaseIterable {
    /// In a file of the server's directory.
    case file
    /// With systemd, which decrypts it for the unit.
    case credential
    /// Sealed to the TPM of this machine, in a file of the directory.
    case tpm
}
