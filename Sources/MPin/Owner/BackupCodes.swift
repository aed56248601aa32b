/// New backup codes: good once they are confirmed, and then in place of those of before.
package struct BackupCodes: Sendable {
    package let codes: [String]
    /// What confirms them.
    let batch: Int
}
