// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A new file for secrets. Only its owner can read it, it never overwrites another file, and it appears under its name
/// when it is complete.
struct NewFile {
    private let path: String

    init(_ path: String) throws(CommandFailure) {
        self.path = path
        let directory = MachineFile.directory(of: path)
        guard MachineFile.status(path) == nil else { throw NewFile.failure(path, EEXIST) }
        guard unsafe access(directory.isEmpty ? "." : directory, W_OK | X_OK) == 0 else {
            throw NewFile.failure(path, errno)
        }
    }

    /// Writes the file with these lines to the disk.
    func write(_ lines: [String]) throws(CommandFailure) {
        let (directory, name) = (MachineFile.directory(of: path), path.split(separator: "/").last ?? "")
        let draft =
            directory + ".\(name)\(MachineFile.draftMark)" + String(UInt64.random(in: 0...UInt64.max), radix: 36)
        let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw NewFile.failure(path, errno) }
        defer {
            close(descriptor)
            unsafe unlink(draft)
        }
        do throws(CommandFailure) {
            try MachineFile.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: descriptor, path)
        } catch { throw lost }
        guard fsync(descriptor) == 0 else { throw lost }
        try put(draft)
        guard MachineFile.settle(directory) else {
            let failure = lost
            remove()
            throw failure
        }
    }

    /// Gives the draft its name, unless another file has it.
    private func put(_ draft: String) throws(CommandFailure) {
        if unsafe link(draft, path) == 0 { return }
        guard errno == EPERM || errno == ENOTSUP else { throw NewFile.failure(path, errno) }
        // On a file system without hard links, such as FAT, an empty file takes the name, and the draft then replaces
        // it.
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw NewFile.failure(path, errno) }
        close(descriptor)
        guard unsafe rename(draft, path) == 0 else {
            let failure = lost
            remove()
            throw failure
        }
    }

    private func remove() { unsafe unlink(path) }

    private static func failure(_ path: String, _ number: Int32) -> CommandFailure {
        let reason = unsafe String(cString: strerror(number))
        return CommandFailure(
            .badInput, "BAD_INPUT", "\(path) cannot be created: \(reason).",
            advice: Advice(
                number == EEXIST ? "Use a file that does not exist yet." : "Use a file in another directory."))
    }

    /// The failure when the codes could not be written.
    private var lost: CommandFailure {
        let reason = unsafe String(cString: strerror(errno))
        return CommandFailure(
            .storage, "STORAGE_ERROR", "\(path) could not be written: \(reason). Nothing was changed at the server.",
            advice: Advice("Use a file on another disk with --codes-file."))
    }
}
