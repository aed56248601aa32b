// SPDX-License-Identifier: Apache-2.0
import Foundation

/// glibc's, which its headers show with extensions alone.
@_silgen_name("posix_spawn_file_actions_addclosefrom_np")
private func closeFrom(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ first: Int32) -> Int32

/// A program that a test has started and waits for. Not Foundation's `Process`, which crashes in a process that has started
/// hundreds of them.
final class Child: @unchecked Sendable {
    struct NotStarted: Error { let program: String, errno: Int32 }

    private let identifier: pid_t
    private let lock = NSLock()
    private var hasEnded = false

    /// - Parameter input: what it has as standard input; nil for the null device. No other descriptor is inherited.
    init(
        _ program: String, _ arguments: [String], environment: [String: String], input: Int32?, output: Int32,
        errors: Int32
    ) throws {
        var actions = posix_spawn_file_actions_t(), attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, errors, 2)
        _ = closeFrom(&actions, 3)
        // A group of its own, so that a signal to it reaches no test; and no signal blocked or ignored.
        var none = sigset_t(), all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        var settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + settings).forEach { free($0) } }
        var identifier: pid_t = 0
        let failure = posix_spawn(&identifier, program, &actions, &attributes, &words, &settings)
        guard failure == 0 else { throw NotStarted(program: program, errno: failure) }
        self.identifier = identifier
    }

    /// Waits for its end.
    ///
    /// - Returns: what it has ended with; 128 and the number of a signal that has ended it.
    func wait() -> Int32 {
        var facts = siginfo_t()
        // Seen first and then collected: until then no other process gets its number.
        while waitid(P_PID, id_t(identifier), &facts, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        lock.withLock { hasEnded = true }
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    /// Ends it, unless it has ended.
    func kill() { lock.withLock { if !hasEnded { _ = Glibc.kill(identifier, SIGKILL) } } }
}
