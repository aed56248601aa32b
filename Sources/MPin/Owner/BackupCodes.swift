/// New backup codes. They replace earlier ones when ``MPinClient/confirm(_:by:pin:)`` makes them valid.
public struct BackupCodes: Sendable {
    /// Codes to write down; each can be used once.
    public let codes: [String]
    /// What confirms them.
    let batch: Int
}
