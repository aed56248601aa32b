internal import Glibc

/// A recovery key that nobody has been shown, because the command that made it was cut off.
extension ServerDirectory {
    private static let longest = 64

    /// Holds the name of that key.
    private var unshownMark: String { "\(path)/recovery-key.unshown" }

    /// What it is called; nil where the recovery key was shown, or there is none.
    public var unshownRecoveryKey: String? {
        guard keyPlace == .tpm, let sealed = try? TPMKeyFile(path: file(of: .tpm)) else { return nil }
        let file = unsafe open(unshownMark, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: Self.longest)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
        // That of a rotation which has come to nothing is the name of no key.
        let name = String(decoding: bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return name == sealed.identifier ? name : nil
    }

    /// Writes down, durably, that nobody has been shown a recovery key yet.
    func markUnshown(_ recovery: RecoveryKey) throws(ServerFault) {
        unsafe unlink(unshownMark)
        let text = Array("\(recovery.identifier)\n".utf8)
        let file = try CopiedFile.make(unshownMark)
        defer { close(file) }
        let count = unsafe text.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
        guard count == text.count, fsync(file) == 0 else {
            let error = SystemError()
            unsafe unlink(unshownMark)
            throw ServerFault(.storage, "cannot write \(unshownMark): \(error.text)", hint: "Nothing was changed.")
        }
        try CopiedFile.sync(path)
    }

    /// The recovery key has been shown, or was typed, so that somebody has it.
    public func recoveryKeyWasShown() { unsafe unlink(unshownMark) }
}
