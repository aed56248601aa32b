/// A server that was made.
public struct InitializedServer: Sendable {
    /// Its lasting name, 32 hexadecimal digits.
    public let serverID: String
    /// What opens it where its TPM does not; nil where the key lies in a file.
    public let recovery: RecoveryKey?
}
