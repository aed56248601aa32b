// SPDX-License-Identifier: Apache-2.0
package import MPinServerStorage

/// When a command shows the recovery key of a sealing key. Without it, a lost TPM is a lost server.
package enum RecoveryKeyDisplay: Sendable {
    /// Before the sealing key is used. An error ends the command with nothing changed.
    case before(@Sendable (RecoveryKey) throws(ServerError) -> Void)
    /// With the answer at the end. Until then a mark in the directory records that the key has not been shown;
    /// ``ServerDirectory/recoveryKeyWasShown()`` removes it.
    case withAnswer

    /// Shows the key, or records that it must be shown.
    package func begin(_ recovery: RecoveryKey, _ directory: ServerDirectory) throws(ServerError) {
        switch self {
        case .before(let show): try show(recovery)
        case .withAnswer: try directory.markUnshown(recovery)
        }
    }
}
