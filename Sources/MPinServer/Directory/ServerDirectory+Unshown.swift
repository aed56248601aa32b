// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinServerStorage

/// Recovery keys that have never been shown, because the commands that made them were interrupted.
extension ServerDirectory {
    private static let longest = 256

    /// Contains the names of those keys, one on each line.
    private var unshownMark: String { "\(path)/recovery-key.unshown" }
    private var nextUnshownMark: String { unshownMark + ".next" }

    /// The name of the recovery key; nil if it was shown, or if there is none.
    package var unshownRecoveryKey: String? {
        guard keyPlace == .tpm, let sealed = try? TPMKeyFile(path: file(of: .tpm)) else { return nil }
        // The name of a key from an abandoned rotation is not the name of the present key.
        return unshownNames.contains(sealed.identifier) ? sealed.identifier : nil
    }

    private var unshownNames: [String] {
        let file = unsafe open(unshownMark, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: Self.longest)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n").map(String.init)
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
        unsafe unlink(nextUnshownMark)
        let file = try PrivateFile.make(nextUnshownMark)
        defer { close(file) }
        let count = unsafe text.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
        guard count == text.count, fsync(file) == 0, unsafe rename(nextUnshownMark, unshownMark) == 0 else {
            let error = SystemError()
            unsafe unlink(nextUnshownMark)
            throw ServerError(.storage, "cannot write \(unshownMark): \(error.text)", hint: "Nothing was changed.")
        }
        try PrivateFile.sync(path)
    }

    /// Records that the present recovery key has been shown or typed, so that the administrator has it.
    package func recoveryKeyWasShown() {
        unsafe unlink(unshownMark)
        unsafe unlink(nextUnshownMark)
    }
}
