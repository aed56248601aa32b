// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinServerStorage
internal import SystemFiles

/// Recovery keys that have never been shown, because the commands that made them were interrupted.
extension ServerDirectory {
    private static let longest = 256

    /// Contains the names of those keys, one on each line.
    private var unshownMark: String { "\(path)/recovery-key.unshown" }

    /// The name of the recovery key; nil if it was shown, or if there is none.
    package var unshownRecoveryKey: String? {
        guard keyPlace == .tpm, let sealed = try? TPMKeyFile(path: file(of: .tpm)) else { return nil }
        // The name of a key from an abandoned rotation is not the name of the present key.
        return unshownNames.contains(sealed.identifier) ? sealed.identifier : nil
    }

    private var unshownNames: [String] {
        let bytes = (try? SystemFile(unshownMark).read(upTo: Self.longest)) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The names of the existing keys: the present one, and one that may replace it.
    private var namesInForce: [String] {
        [false, true].compactMap { try? TPMKeyFile(path: file(of: .tpm, next: $0)).identifier }
    }

    /// Records durably that a recovery key has not been shown yet. The name of a present key that has not been shown
    /// either is kept, because the new key may never replace it.
    func markUnshown(_ recovery: RecoveryKey) throws(ServerError) {
        let inForce = namesInForce
        let others = unshownNames.filter { inForce.contains($0) && $0 != recovery.identifier }
        let text = Array((others + [recovery.identifier]).map { $0 + "\n" }.joined(separator: "").utf8)
        try PrivateFile.write(text.span, to: unshownMark, .replacing)
    }

    /// Records that the present recovery key has been shown or typed, so that the administrator has it.
    package func recoveryKeyWasShown() {
        unsafe unlink(unshownMark)
        DurableFile.removeDrafts(in: path)
    }
}
