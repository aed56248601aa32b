// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import SystemFiles

extension SystemFile {
    /// Opens a file that the command line names.
    ///
    /// - Parameters:
    ///   - path: `-` for standard input.
    ///   - content: what the file contains, for the message.
    static func input(_ path: String, of content: String) throws(CommandFailure) -> SystemFile {
        let descriptor = path == "-" ? dup(STDIN_FILENO) : unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0, FileFacts(of: descriptor)?.isDirectory != true else {
            let fault = descriptor < 0 ? SystemError() : SystemError(EISDIR)
            throw CommandFailure(
                .badInput, "BAD_INPUT", "The \(content) file \(path) cannot be opened: \(fault.text).",
                advice: Advice("Use a file that you may read, or - for standard input."))
        }
        return SystemFile(adopting: descriptor, path: path)
    }
}
