// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import Glibc

/// Another program, which runs without input and with no other open files than its output, which this one reads.
package struct StartedProgram: ~Copyable {
    private let process: pid_t
    package let output: SystemFile
    /// Its standard error; empty if it shares that of this program.
    package let errors: SystemFile

    /// - Parameters:
    ///   - words: a path, or a name that is searched in the directories of PATH; and the arguments.
    ///   - environment: its variables.
    ///   - sharesErrors: whether it writes to the standard error of this program.
    /// - Throws: ``SystemError`` if it did not start.
    package init(_ words: [String], environment: [String], sharesErrors: Bool = false) throws(SystemError) {
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        // In a group of its own, so that Ctrl-C ends this program, and not one that changes the system.
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        let output = try Pipe(words[0]), errors = try Pipe(words[0])
        unsafe posix_spawn_file_actions_adddup2(&actions, output.writing.descriptor, STDOUT_FILENO)
        if !sharesErrors { unsafe posix_spawn_file_actions_adddup2(&actions, errors.writing.descriptor, STDERR_FILENO) }
        // This program may have inherited some, such as a terminal, and the other one may run as another user.
        let closing = unsafe mpin_spawn_keep_standard(&actions)
        guard closing == 0 else { throw SystemError(closing) }
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer { unsafe (arguments + variables).forEach { unsafe free($0) } }
        var process: pid_t = 0
        let error = unsafe posix_spawnp(&process, words[0], &actions, &attributes, &arguments, &variables)
        guard error == 0 else { throw SystemError(error) }
        // This program's copies of the writing ends are closed, so that reading ends with the other program.
        self.process = process
        self.output = output.reading
        self.errors = errors.reading
    }

    /// Waits for its end. What it has still to write is lost.
    ///
    /// - Returns: its exit status; 128 plus the number of the signal that ended it.
    package consuming func end() throws(SystemError) -> Int32 {
        let process = process
        // A program whose output is not read would otherwise wait forever to write it.
        _ = consume self
        var result: Int32 = 0
        while unsafe waitpid(process, &result, 0) < 0 { guard errno == EINTR else { throw SystemError() } }
        return result & 0x7F == 0 ? result >> 8 & 0xFF : 128 + result & 0x7F
    }
}

/// A pipe whose ends other programs do not inherit by themselves.
private struct Pipe: ~Copyable {
    let reading: SystemFile
    let writing: SystemFile

    init(_ path: String) throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw SystemError() }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        reading = SystemFile(adopting: ends[0], path: path)
        writing = SystemFile(adopting: ends[1], path: path)
    }
}
