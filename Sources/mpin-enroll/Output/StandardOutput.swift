// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import SystemFiles

/// Standard output, with write errors reported.
enum StandardOutput {
    static func write(_ lines: [String]) throws(CommandFailure) { try write(lines.map { $0 + "\n" }.joined().utf8) }

    static func write(_ bytes: some Sequence<UInt8>) throws(CommandFailure) {
        if let error = SystemFile.write(Array(bytes).span, to: STDOUT_FILENO) { throw failure(error.text) }
    }

    /// Writes text and checks that it has arrived, as far as this program can find out.
    ///
    /// - Returns: the reason why it has not; `nil` if it has.
    static func deliver(_ text: String) -> String? {
        if let error = SystemFile.write(text.utf8.span, to: STDOUT_FILENO) { return error.text }
        // A full disk may only show when the bytes reach it. Pipes and terminals return one of these errors.
        guard fsync(STDOUT_FILENO) != 0, ![EINVAL, EROFS, ENOTSUP].contains(errno) else { return nil }
        return SystemError().text
    }

    private static func failure(_ reason: String) -> CommandFailure {
        CommandFailure(
            .storage, "OUTPUT_ERROR",
            "The report could not be written to standard output: \(reason). The command itself succeeded.")
    }
}
