// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinServerStorage
internal import SystemFiles

/// Which recovery keys have been shown. A command that was interrupted may have made one that was not.
extension ServerDirectory {
    private static let longest = 1 << 16

    /// Contains the names of the keys that have been shown or typed, one on each line.
    private var shownKeys: String { "\(path)/recovery-key.shown" }

    /// The name of the recovery key; nil if it was shown, or if there is none.
    package var unshownRecoveryKey: String? {
        guard keyPlace == .tpm, let sealed = try? TPMKeyFile(path: file(of: .tpm)) else { return nil }
        let shown = (try? SystemFile(shownKeys).read(upTo: Self.longest)) ?? []
        let isShown = shown.split(separator: UInt8(ascii: "\n")).contains { $0.elementsEqual(sealed.identifier.utf8) }
        return isShown ? nil : sealed.identifier
    }

    /// Records that the present recovery key has been shown or typed, so that the administrator has it. If that fails,
    /// commands go on to warn.
    package func recoveryKeyWasShown() {
        guard let name = unshownRecoveryKey else { return }
        _ = try? SystemFile(shownKeys, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW).write((name + "\n").utf8.span)
    }
}
