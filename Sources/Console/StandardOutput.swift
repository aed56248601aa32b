// SPDX-License-Identifier: Apache-2.0
import Glibc
import SystemFiles

/// Standard output, with write errors reported.
package enum StandardOutput {
    package static func write(_ lines: [String]) throws(CommandFailure) {
        guard let error = SystemFile.write(lines.map { $0 + "\n" }.joined().utf8.span, to: STDOUT_FILENO) else {
            return
        }
        throw CommandFailure(
            .storage, "OUTPUT_ERROR",
            "The command succeeded, but its output could not be written to standard output: \(error.text).",
            advice: Advice("If the command created a code or secret, it is lost. Create another one."))
    }

    /// Writes text and checks that it has arrived, as far as this program can find out.
    ///
    /// - Returns: the reason why it has not; `nil` if it has.
    package static func deliver(_ text: String) -> String? {
        if let error = SystemFile.write(text.utf8.span, to: STDOUT_FILENO) { return error.text }
        // A full disk may only show when the bytes reach it. Pipes and terminals return one of these errors.
        guard fsync(STDOUT_FILENO) != 0, ![EINVAL, EROFS, ENOTSUP].contains(errno) else { return nil }
        return SystemError().text
    }
}

/// Standard error. The lines may have colors, and no other control characters.
package enum StandardError {
    package static func write(_ lines: [String]) {
        _ = SystemFile.write(lines.map { $0 + "\n" }.joined().utf8.span, to: STDERR_FILENO)
    }
}
