// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import PAMStack
import SystemFiles

/// Reads and replaces files of this machine.
enum MachineFile {
    /// Creates or replaces a file. A reader sees the complete old file or the complete new one.
    ///
    /// - Parameter model: the file whose owner and mode it gets; without one, the caller and 0644.
    static func replace(_ path: String, with content: [UInt8], like model: String) throws(CommandFailure) {
        let facts = FileFacts(target: model)
        let mode = facts.map { $0.mode & 0o7777 } ?? 0o644
        do throws(FileError) {
            try DurableFile.write(content.span, to: path, .replacing, mode: mode, owner: facts)
        } catch { if let failure = failure(error) { throw failure } }
    }

    /// Removes a file.
    static func remove(_ path: String) throws(CommandFailure) {
        do throws(FileError) { try DurableFile.remove(path) } catch {
            if let failure = failure(error) { throw failure }
        }
    }

    /// The failure to change a file; nil if the change is in place.
    private static func failure(_ error: FileError) -> CommandFailure? {
        guard error.step != .confirm else { return nil }
        let isForbidden = [EACCES, EPERM].contains(error.cause.number)
        return CommandFailure(
            isForbidden ? .notPermitted : .storage, "STORAGE_ERROR",
            "\(error.path) cannot be written: \(error.cause.text). Its content is unchanged.",
            advice: isForbidden ? Advice.useSudo : nil)
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
