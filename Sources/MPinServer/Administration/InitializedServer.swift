/// A server that was made.
package struct InitializedServer: Sendable {
    /// Its lasting name, 32 hexadecimal digits.
    package let serverID: String
    /// What opens it where its TPM does not; nil where the key lies in a file.
    package let recovery: RecoveryKey?
}
