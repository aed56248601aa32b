// SPDX-License-Identifier: Apache-2.0
import Glibc
import PAMStack

/// Reads and replaces files of this machine.
enum MachineFile {
    /// The content of a regular file of at most a megabyte; `nil` if there is none or it is unreadable.
    static func load(_ path: String) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= 1 << 20
        else { return nil }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0, content.count <= 1 << 20 else { return nil }
            if count == 0 { return content }
            content += chunk.prefix(count)
        }
    }

    /// The status of a file. Does not follow links.
    static func status(_ path: String) -> stat? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status : nil
    }

    /// The names in a directory, sorted; `nil` if it is unreadable.
    static func names(in directory: String) -> [String]? {
        guard let listing = unsafe opendir(directory) else { return nil }
        defer { unsafe closedir(listing) }
        return unsafe names(listing)
    }

    /// The names in an open directory, sorted.
    static func names(_ listing: OpaquePointer) -> [String] {
        var names: [String] = []
        while let entry = unsafe readdir(listing) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The paths that match a pattern of the shell.
    static func matching(_ pattern: String) -> [String] {
        var found = unsafe glob_t()
        defer { unsafe globfree(&found) }
        guard unsafe glob(pattern, 0, nil, &found) == 0, let names = unsafe found.gl_pathv else { return [] }
        return unsafe (0..<Int(found.gl_pathc)).compactMap { index in
            unsafe names[index].map { unsafe String(cString: $0) }
        }
    }

    /// Part of the name of a temporary file. It stays behind if this program is killed.
    static let draftMark = ".mpin-new-"

    /// Creates or replaces a file. A reader sees the complete old file or the complete new one.
    ///
    /// - Parameter model: the file whose owner and mode it gets; without one, the caller and 0644.
    static func replace(_ path: String, with content: [UInt8], like model: String) throws(CommandFailure) {
        // A unique name, so that two programs never write to the same temporary file.
        let (directory, name) = (MachineFile.directory(of: path), path.split(separator: "/").last ?? "")
        let draft = directory + ".\(name)\(draftMark)" + String(UInt64.random(in: 0...UInt64.max), radix: 36)
        let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(draft) }
        defer { close(descriptor) }
        do throws(CommandFailure) {
            var status = stat()
            if unsafe stat(model, &status) == 0 {
                guard fchown(descriptor, status.st_uid, status.st_gid) == 0 else { throw failure(draft) }
            }
            try write(content, to: descriptor, draft)
            let mode = status.st_mode == 0 ? 0o644 : status.st_mode & 0o7777
            guard fchmod(descriptor, mode) == 0, fsync(descriptor) == 0, unsafe rename(draft, path) == 0 else {
                throw failure(path)
            }
        } catch {
            unsafe unlink(draft)
            throw error
        }
        _ = settle(directory)
    }

    /// The directory of a file, with a slash at the end; empty for the working directory.
    static func directory(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    /// Writes a directory's names to the disk.
    ///
    /// - Parameter directory: empty for the working directory.
    static func settle(_ directory: String) -> Bool {
        let descriptor = unsafe open(directory.isEmpty ? "." : directory, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }

    static func write(_ content: [UInt8], to descriptor: Int32, _ path: String) throws(CommandFailure) {
        var rest = content[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure(path) }
            rest = rest.dropFirst(count)
        }
    }

    private static func failure(_ path: String) -> CommandFailure {
        let (number, reason) = (errno, unsafe String(cString: strerror(errno)))
        return CommandFailure(
            number == EACCES || number == EPERM ? .notPermitted : .storage, "STORAGE_ERROR",
            "\(path) cannot be written: \(reason). Its content is unchanged.",
            advice: number == EACCES || number == EPERM ? Advice.useSudo : nil)
    }
}

extension MachineFile {
    /// The first bytes of a file.
    static func beginning(of path: String, _ count: Int) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        let read = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
        return read < 0 ? nil : Array(bytes.prefix(read))
    }

    /// The status of a file. Follows links.
    static func target(_ path: String) -> stat? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status : nil
    }
}

extension MachineFile {
    /// A PAM file as libpam reads it. libpam treats a directory as an empty file.
    static func ofPAM(_ path: String) -> StackFile {
        if let content = load(path) { return .content(content) }
        guard let status = target(path) else {
            // For libpam, too, a broken link is a missing file.
            return errno == EACCES ? .unreadable : .absent
        }
        return status.st_mode & S_IFMT == S_IFDIR ? .content([]) : .unreadable
    }
}
