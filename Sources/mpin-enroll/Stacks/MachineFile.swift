// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import PAMStack
import SystemFiles

enum MachineFile {
    /// Creates or replaces a file. A reader sees the complete old file or the complete new one.
    ///
    /// - Parameter model: the file whose owner and mode it gets; without one, the caller and 0644.
    static func replace(_ path: String, with content: [UInt8], like model: String) throws(CommandFailure) {
        let facts = FileFacts(target: model)
        try changing { () throws(FileError) in
            try DurableFile.write(
                content.span, to: path, .replacing, mode: facts.map { $0.mode & 0o7777 } ?? 0o644, owner: facts)
        }
    }

    static func remove(_ path: String) throws(CommandFailure) {
        try changing { () throws(FileError) in try DurableFile.remove(path) }
    }

    /// Does not fail if the change is in place, and only its confirmation by the disk is missing.
    private static func changing(_ change: () throws(FileError) -> Void) throws(CommandFailure) {
        do throws(FileError) { try change() } catch {
            guard error.step != .confirm else { return }
            let isForbidden = [EACCES, EPERM].contains(error.cause.number)
            throw CommandFailure(
                isForbidden ? .notPermitted : .storage, "STORAGE_ERROR",
                "\(error.path) cannot be written: \(error.cause.text). Its content is unchanged.",
                advice: isForbidden ? Advice.useSudo : nil)
        }
    }

    /// A PAM file as libpam reads it. libpam treats a directory as an empty file.
    static func ofPAM(_ path: String) -> StackFile {
        if let content = SystemFile.load(path) { return .content(content) }
        switch FileFacts.of(target: path) {
        case .success(let facts): return facts.isDirectory ? .content([]) : .unreadable
        // For libpam, too, a broken link is a missing file.
        case .failure(let error): return error.number == EACCES ? .unreadable : .absent
        }
    }
}
