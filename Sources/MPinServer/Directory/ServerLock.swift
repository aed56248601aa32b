internal import Glibc

/// The right to serve a directory, held by one process at a time: attempts are counted in one place.
final class ServerLock: Sendable {
    private let file: Int32

    /// Takes the lock.
    ///
    /// - Throws: ``ServerFault`` of kind `unavailable` while another process holds it.
    init(_ path: String) throws(ServerFault) {
        let file = unsafe open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw ServerFault(.storage, "cannot open \(path): \(SystemError().text)") }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            close(file)
            throw ServerFault(.unavailable, "another mpin-server serves this directory", hint: "Stop it first.")
        }
        self.file = file
    }

    deinit { close(file) }
}
