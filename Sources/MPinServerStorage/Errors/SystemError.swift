// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The reason why a system call failed.
package struct SystemError: Error {
    package let number: Int32

    package init() { number = errno }

    /// Finds the reason why a file cannot be read.
    package init(reading path: String) {
        let file = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            number = errno
            return
        }
        defer { close(file) }
        var byte: UInt8 = 0
        number = unsafe read(file, &byte, 1) < 0 ? errno : EIO
    }

    package var text: String { unsafe String(cString: strerror(number)) }

    /// The error for something that cannot be found or opened.
    package func fault(_ what: String, hint: String) -> ServerError {
        switch number {
        case ENOENT, ENOTDIR: ServerError(.configuration, "\(what) does not exist", hint: hint)
        case EACCES, EPERM:
            ServerError(
                .notPermitted, "\(what) cannot be read: \(text)", hint: "Run the command as a user who can read it.")
        default: ServerError(.storage, "\(what) cannot be read: \(text)")
        }
    }
}
