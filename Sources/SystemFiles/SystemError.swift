// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The reason why a system call failed.
package struct SystemError: Error {
    package let number: Int32

    package init(_ number: Int32 = errno) { self.number = number }

    package var text: String { unsafe String(cString: strerror(number)) }
}
