internal import Glibc
internal import MPinServerStorage

/// Recovery keys that nobody has been shown, because the commands that made them were cut off.
extension ServerDirectory {
    private static let longest = 256

    /// Holds the names of those keys, one a line.
    private var unshownMark: String { "\(path)/recovery-key.unshown" }
    private var nextUnshownMark: String { unshownMark + ".next" }

    /// What the recovery key is called; nil where it was shown, or there is none.
    package var unshownRecoveryKey: String? {
        guard keyPlace == .tpm, let sealed = try? TPMKeyFile(path: file(of: .tpm)) else { return nil }
        // That of a rotation which has come to nothing is the name of no key.
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

    /// The names of the keys that are there: the one in force, and one that may take its place.
    private var namesInForce: [String] {
        [false, true].compactMap { try? TPMKeyFile(path: file(of: .tpm, next: $0)).identifier }
    }

    /// Writes down, durably, that nobody has been shown a recovery key yet. One that is in force and has not been shown
    /// either stays named: the new one may never take its place.
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

    /// The recovery key in force has been shown, or was typed, so that somebody has it.
    package func recoveryKeyWasShown() {
        unsafe unlink(unshownMark)
        unsafe unlink(nextUnshownMark)
    }
}
