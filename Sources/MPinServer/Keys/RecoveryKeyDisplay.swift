package import MPinServerStorage

/// When a command shows the recovery key of a sealing key, without which a lost TPM is a lost server.
package enum RecoveryKeyDisplay: Sendable {
    /// Before the sealing key is the one that counts. What it throws ends the command with nothing changed.
    case before(@Sendable (RecoveryKey) throws(ServerError) -> Void)
    /// With the answer, which comes last. Until then a mark in the directory tells that nobody has seen it;
    /// ``ServerDirectory/recoveryKeyWasShown()`` takes it away.
    case withAnswer

    /// Shows it, or keeps in mind that it has to be.
    package func begin(_ recovery: RecoveryKey, _ directory: ServerDirectory) throws(ServerError) {
        switch self {
        case .before(let show): try show(recovery)
        case .withAnswer: try directory.markUnshown(recovery)
        }
    }
}
