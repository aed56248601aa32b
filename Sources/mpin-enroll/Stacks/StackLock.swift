// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import PAMStack
import SystemFiles

/// The lock under which one `mpin-enroll` at a time changes PAM's files.
enum StackLock {
    /// In a directory that only root can write to: a user who could open the file could hold the lock forever.
    private static let path = "/run/mpin-pam.lock"

    /// How many times to wait for the lock, and how long each time.
    private static let waits = 600, microseconds: UInt32 = 50_000

    /// Runs an action under the lock, so that what it reads stays true until it has written.
    ///
    /// - Parameter isNeeded: whether the action may write. For users other than root, writing fails without the lock.
    static func held<Result>(
        _ isNeeded: Bool, _ work: () throws(CommandFailure) -> Result
    ) throws(CommandFailure) -> Result {
        guard isNeeded, geteuid() == 0 else { return try work() }
        let lock: SystemFile
        do throws(FileError) { lock = try SystemFile(path, O_RDWR | O_CREAT | O_NOFOLLOW) } catch {
            throw failure("\(path) cannot be opened: \(error.cause.text).")
        }
        var turn = 0
        while flock(lock.descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard turn < waits else {
                throw failure("Another program is changing PAM files: " + LockHolder.sentence(path))
            }
            usleep(microseconds)
            turn += 1
        }
        DurableFile.removeDrafts(in: StackReader.directories[0])
        let result = try work()
        withExtendedLifetime(lock) {}
        return result
    }

    private static func failure(_ reason: String) -> CommandFailure {
        CommandFailure(
            .tryLater, "STORAGE_ERROR", reason + " Nothing was changed.",
            advice: Advice("Try again. Check which program holds the lock: lslocks"))
    }
}
