// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The working directory.
enum WorkingDirectory {
    static var path: String {
        guard let buffer = unsafe getcwd(nil, 0) else { return "" }
        defer { unsafe free(buffer) }
        return unsafe String(cString: buffer)
    }
}
