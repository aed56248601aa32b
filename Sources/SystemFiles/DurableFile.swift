// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Writes whole files that survive a crash: their content is on the disk before they get their name, and their name is
/// on the disk before the caller goes on.
package enum DurableFile {
    package enum Naming: Sendable {
        /// When it is complete, and only if no other file has the name.
        case new
        /// When it is complete. A reader sees the complete old file or the complete new one.
        case replacing
    }

    /// Writes a file. After an error it does not exist, or is as before; except after step `confirm`, which follows a
    /// replacement.
    ///
    /// - Parameter owner: facts with the owner and group that it gets; nil for those of the caller.
    package static func write(
        _ bytes: Span<UInt8>, to path: String, _ naming: Naming, mode: UInt32 = 0o600, owner: FileFacts? = nil
    ) throws(FileError) {
        let first = draft(of: path)
        let file = try SystemFile.new(first, named: path)
        do throws(FileError) {
            if let owner, fchown(file.descriptor, owner.owner, owner.group) != 0 { throw FileError(path, .write) }
            try file.fill(bytes, mode: mode)
            switch naming {
            case .new: try name(first, as: path)
            case .replacing: guard unsafe rename(first, path) == 0 else { throw FileError(path, .write) }
            }
        } catch {
            unsafe unlink(first)
            throw error
        }
        if naming == .new { unsafe unlink(first) }
        do throws(FileError) { try sync(FileName.parent(of: path)) } catch {
            if naming == .replacing { throw FileError(path, .confirm, error.cause) }
            unsafe unlink(path)
            throw FileError(path, .write, error.cause)
        }
    }

    /// Gives a complete file another name, unless another file has it. The first name may remain.
    private static func name(_ draft: String, as path: String) throws(FileError) {
        // Unlike a rename, a hard link never replaces a file that was created in the meantime.
        if unsafe link(draft, path) == 0 { return }
        guard [EPERM, EOPNOTSUPP, ENOSYS].contains(errno) else { throw FileError(path, .create) }
        // On a file system without hard links, such as FAT, an empty file takes the name, and the other one replaces it.
        _ = try SystemFile.new(path)
        guard unsafe rename(draft, path) == 0 else {
            let error = FileError(path, .write)
            unsafe unlink(path)
            throw error
        }
    }

    /// Removes a file for good. It is an error if it does not exist.
    package static func remove(_ path: String) throws(FileError) {
        guard unsafe unlink(path) == 0 else { throw FileError(path, .write) }
        try sync(FileName.parent(of: path))
    }

    /// Waits until a file, or the names in a directory, are on the disk.
    package static func sync(_ path: String) throws(FileError) { try SystemFile(path, O_RDONLY).sync() }

    /// Part of the name of an incomplete file. The rest of the name is unique, so that two programs never write to the
    /// same one.
    private static let mark = ".mpin-new-"

    private static func draft(of path: String) -> String {
        "\(FileName.parent(of: path))/.\(FileName.last(of: path))\(mark)"
            + String(UInt64.random(in: 0...UInt64.max), radix: 36)
    }

    /// Removes the incomplete files of programs that were killed. The caller holds the lock under which they write.
    ///
    /// - Parameter beginning: how the names of the complete files begin.
    package static func removeDrafts(in directory: String, of beginning: String = "") {
        for name in (try? Directory.names(in: directory)) ?? []
        where name.hasPrefix("." + beginning) && name.contains(mark) { unsafe unlink("\(directory)/\(name)") }
    }
}
