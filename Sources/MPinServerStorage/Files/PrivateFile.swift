// SPDX-License-Identifier: Apache-2.0
internal import CommandSyntax
internal import Glibc

/// Files that only their owner can read, created under names that no other file has.
package enum PrivateFile {
    /// Creates an empty file that only its owner can access.
    ///
    /// - Returns: its descriptor, open for writing.
    package static func make(_ path: String, hint: String = "Nothing was changed.") throws(ServerError) -> Int32 {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            let error = SystemError()
            throw ServerError(
                error.number == EACCES ? .notPermitted : .cannotCreate, "cannot create \(path): \(error.text)",
                hint: hint)
        }
        return file
    }

    /// Copies a regular file to a new one, durably.
    package static func copy(_ source: String, to target: String) throws(ServerError) {
        // Opening a named pipe would block otherwise.
        let from = unsafe open(source, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard from >= 0 else { throw SystemError().fault(source, hint: "") }
        defer { close(from) }
        var facts = stat()
        guard unsafe fstat(from, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw ServerError(.badInput, "\(source) is not a regular file")
        }
        let to = try make(target)
        defer { close(to) }
        do throws(ServerError) {
            try fill(to, target, from: from, source)
        } catch {
            // An incomplete copy would make the next attempt fail, and could be mistaken for a complete one.
            unsafe unlink(target)
            throw error
        }
    }

    private static func fill(_ to: Int32, _ target: String, from: Int32, _ source: String) throws(ServerError) {
        while case let bytes = try read(from: from, source, upTo: 1 << 20), !bytes.isEmpty {
            try write(bytes[...], to: to, target)
        }
        guard fsync(to) == 0 else { throw unwritable(target, SystemError()) }
    }

    /// Reads up to that many bytes; fewer only at the end of the file.
    package static func read(from file: Int32, _ path: String, upTo limit: Int) throws(ServerError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: limit)
        var size = 0
        while size < limit {
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe Glibc.read(file, bytes.baseAddress?.advanced(by: size), limit - size)
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw ServerError(.storage, "cannot read \(path): \(SystemError().text)") }
            if count == 0 { break }
            size += count
        }
        buffer.removeLast(limit - size)
        return buffer
    }

    /// The last bytes of a file; nil if the file is shorter.
    package static func tail(of path: String, _ count: Int) throws(ServerError) -> [UInt8]? {
        let file = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { throw SystemError().fault(path, hint: "") }
        defer { close(file) }
        guard lseek(file, -off_t(count), SEEK_END) >= 0 else { return nil }
        return try read(from: file, path, upTo: count)
    }

    /// Appends bytes to a file.
    package static func append(_ bytes: [UInt8], to path: String) throws(ServerError) {
        let file = unsafe open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { throw SystemError().fault(path, hint: "") }
        defer { close(file) }
        try write(bytes[...], to: file, path)
    }

    /// Removes the last bytes of a file.
    package static func cut(_ path: String, _ count: Int) throws(ServerError) {
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0, unsafe truncate(path, facts.st_size - off_t(count)) == 0 else {
            throw ServerError(.storage, "cannot write \(path): \(SystemError().text)")
        }
    }

    /// The error of a failed write; a full disk has an error of its own.
    private static func unwritable(_ path: String, _ error: SystemError) -> ServerError {
        guard [ENOSPC, EDQUOT].contains(error.number) else {
            return ServerError(.storage, "cannot write \(path): \(error.text)", hint: "Nothing was changed.")
        }
        return full(path)
    }

    /// The error of a write for which the disk has no room.
    static func full(_ path: String) -> ServerError {
        ServerError(
            .storage, "cannot write \(path): the disk is full",
            hint: "Nothing was changed. Free some space.\nCheck: "
                + "df -h \(ShellWord.operand(FileName.parent(of: path)))")
    }

    package static func write(_ bytes: ArraySlice<UInt8>, to file: Int32, _ path: String) throws(ServerError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw unwritable(path, SystemError()) }
            rest = rest.dropFirst(count)
        }
    }

    /// Waits until a file or directory is on the disk.
    package static func sync(_ path: String) throws(ServerError) {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw SystemError().fault(path, hint: "") }
        defer { close(file) }
        guard fsync(file) == 0 else { throw ServerError(.storage, "cannot write \(path): \(SystemError().text)") }
    }
}
