// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import Glibc

/// Another program, run to its end without input and with no other open files than its output, which is returned.
package struct ChildProgram {
    /// Its exit status; 128 plus the number of the signal that ended it.
    package let status: Int32
    package let output: String
    package let errors: String

    /// - Parameters:
    ///   - words: the absolute path and the arguments.
    ///   - environment: its variables.
    /// - Throws: ``SystemError`` if it did not start.
    package init(_ words: [String], environment: [String]) throws(SystemError) {
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        var reading: [Int32] = [], writing: [Int32] = []
        defer { for end in reading + writing { close(end) } }
        // In a group of its own, so that Ctrl-C ends this program, and not one that changes the system.
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        for target in [STDOUT_FILENO, STDERR_FILENO] {
            var ends: [Int32] = [-1, -1]
            guard unsafe pipe(&ends) == 0 else { throw SystemError() }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            reading.append(ends[0])
            writing.append(ends[1])
            unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], target)
        }
        // This program may have inherited some, such as a terminal, and the other one may run as another user.
        let closing = unsafe mpin_spawn_keep_standard(&actions)
        guard closing == 0 else { throw SystemError(closing) }
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer { unsafe (arguments + variables).forEach { unsafe free($0) } }
        var process: pid_t = 0
        let error = unsafe posix_spawn(&process, words[0], &actions, &attributes, &arguments, &variables)
        guard error == 0 else { throw SystemError(error) }
        for end in writing { close(end) }
        // The output of these programs fits into a pipe, so they never block on one pipe while the other is read.
        let texts = reading.map { end in
            let bytes = try? SystemFile(adopting: end, path: words[0]).read(upTo: .max)
            return String(decoding: bytes ?? [], as: UTF8.self)
        }
        (reading, writing) = ([], [])
        (output, errors) = (texts.first ?? "", texts.last ?? "")
        var result: Int32 = 0
        while unsafe waitpid(process, &result, 0) < 0 { guard errno == EINTR else { throw SystemError() } }
        status = result & 0x7F == 0 ? result >> 8 & 0xFF : 128 + result & 0x7F
    }
}
