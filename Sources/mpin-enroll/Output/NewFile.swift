import Glibc

/// A file that this program makes for secrets: nobody else can read it, and none that is there is overwritten.
final class NewFile {
    private let path: String
    private let descriptor: Int32

    init(_ path: String) throws(CommandFailure) {
        self.path = path
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = unsafe String(cString: strerror(errno))
            throw CommandFailure(
                .badInput, "BAD_INPUT", "\(path) cannot be made: \(reason).",
                advice: Advice("Name a file that is not there yet."))
        }
    }

    deinit { close(descriptor) }

    func write(_ lines: [String]) throws(CommandFailure) {
        var rest = Array(lines.map { $0 + "\n" }.joined().utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw failure }
            rest = rest.dropFirst(count)
        }
        guard fsync(descriptor) == 0 else { throw failure }
    }

    func remove() { unsafe unlink(path) }

    private var failure: CommandFailure {
        let reason = unsafe String(cString: strerror(errno))
        return CommandFailure(
            .storage, "STORAGE_ERROR", "\(path) could not be written: \(reason). Nothing has changed at the server.",
            advice: Advice("Name a file on another disk with --codes-file."))
    }
}
