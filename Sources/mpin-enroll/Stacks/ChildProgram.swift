// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Runs another program to its end, with a clean environment.
enum ChildProgram {
    /// - Parameters:
    ///   - arguments: the absolute path and the arguments.
    ///   - variables: further environment variables.
    ///   - isSilent: whether to discard its output.
    /// - Returns: its exit status; `nil` if it did not start or was killed.
    static func run(_ arguments: [String], variables: [String] = [], isSilent: Bool = false) -> Int32? {
        let environment =
            variables + ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"]
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        // Standard output is this program's answer, so the other program writes to standard error.
        if isSilent {
            unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        }
        unsafe posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer {
            for index in unsafe words.indices { unsafe free(words[index]) }
            for index in unsafe variables.indices { unsafe free(variables[index]) }
        }
        var pid: pid_t = 0
        guard unsafe posix_spawn(&pid, arguments[0], &actions, nil, &words, &variables) == 0 else { return nil }
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0 { guard errno == EINTR else { return nil } }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
    }
}
