// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Why a file could not be read or written.
package struct FileError: Error {
    package enum Step: Sendable {
        case open
        /// It is not a regular file.
        case kind
        case read
        /// A new file could not be created, or another file has its name.
        case create
        case write
        /// The change is in place, but the disk did not confirm it, so a power failure may undo it.
        case confirm
    }

    package let path: String
    /// The step that failed.
    package let step: Step
    package let cause: SystemError

    init(_ path: String, _ step: Step, _ cause: SystemError = SystemError()) {
        (self.path, self.step, self.cause) = (path, step, cause)
    }
}

/// The reason why a system call failed.
package struct SystemError: Error {
    package let number: Int32

    package init(_ number: Int32 = errno) { self.number = number }

    package var text: String { unsafe String(cString: strerror(number)) }
}
