import Glibc
import PAMStack

/// The turn of one program of this kind to change PAM's files.
enum StackLock {
    /// In a directory that only root can write to: whoever could open it could keep everybody waiting.
    private static let path = "/run/mpin-pam.lock"

    /// How often somebody else's turn is waited for, and how long each time.
    private static let waits = 600, microseconds: UInt32 = 50_000
    /// A second, after which somebody at a terminal is told.
    private static let silentWaits = 20

    /// Does something that nobody else does meanwhile: what it has read holds until it has written.
    ///
    /// - Parameters:
    ///   - isNeeded: whether it is to write. Others than root cannot, and are told so where they try.
    ///   - options: whether somebody at a terminal is told why nothing happens.
    static func held<Result>(
        _ isNeeded: Bool, _ options: CommonOptions, _ work: () throws(CommandFailure) -> Result
    ) throws(CommandFailure) -> Result {
        guard isNeeded, geteuid() == 0 else { return try work() }
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0o600)
        guard descriptor >= 0 else {
            let reason = unsafe String(cString: strerror(errno))
            throw failure("\(path) cannot be opened: \(reason).")
        }
        defer { close(descriptor) }
        var turn = 0
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard turn < waits else {
                throw failure("Another program is changing PAM files: " + LockHolder.sentence(path))
            }
            if turn == silentWaits, !options.quiet, isatty(STDERR_FILENO) == 1 {
                Terminal.say(visible("Waiting for a program that is changing PAM files: " + LockHolder.sentence(path)))
            }
            usleep(microseconds)
            turn += 1
        }
        sweep()
        return try work()
    }

    /// Removes what a program has left that was killed in its turn.
    private static func sweep() {
        let directory = StackReader.directories[0]
        for name in MachineFile.names(in: directory) ?? []
        where name.hasPrefix(".") && name.contains(MachineFile.draftMark) {
            unsafe unlink(directory + "/" + name)
        }
    }

    private static func failure(_ reason: String) -> CommandFailure {
        CommandFailure(
            .tryLater, "STORAGE_ERROR", reason + " Nothing was changed.",
            advice: Advice("Try again. Check which program holds the lock: lslocks"))
    }
}
