// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import SystemFiles

/// A new file for secrets. Only its owner can read it, it never overwrites another file, and it appears under its name
/// when it is complete.
struct NewFile {
    private let path: String

    init(_ path: String) throws(CommandFailure) {
        self.path = path
        guard !FileFacts.isThere(path) else { throw NewFile.failure(path, SystemError(EEXIST)) }
        guard unsafe access(FileName.parent(of: path), W_OK | X_OK) == 0 else {
            throw NewFile.failure(path, SystemError())
        }
    }

    /// Writes the file with these lines to the disk.
    func write(_ lines: [String]) throws(CommandFailure) {
        let text = lines.map { $0 + "\n" }.joined()
        do throws(FileError) { try DurableFile.write(text.utf8.span, to: path, .new) } catch {
            if error.step == .create { throw NewFile.failure(path, error.cause) }
            throw CommandFailure(
                .storage, "STORAGE_ERROR",
                "\(path) could not be written: \(error.cause.text). Nothing was changed at the server.",
                advice: Advice("Use a file on another disk with --codes-file."))
        }
    }

    private static func failure(_ path: String, _ cause: SystemError) -> CommandFailure {
        CommandFailure(
            .badInput, "BAD_INPUT", "\(path) cannot be created: \(cause.text).",
            advice: Advice(
                cause.number == EEXIST ? "Use a file that does not exist yet." : "Use a file in another directory."))
    }
}
