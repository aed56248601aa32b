// SPDX-License-Identifier: Apache-2.0
internal import Glibc

package enum Directory {
    /// The names in a directory, sorted.
    ///
    /// - Parameter other: an open directory that a relative path begins in.
    package static func names(in path: String, at other: Int32 = AT_FDCWD) throws(SystemError) -> [String] {
        let directory = unsafe openat(other, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw SystemError() }
        guard let listing = unsafe fdopendir(directory) else {
            let error = SystemError()
            close(directory)
            throw error
        }
        defer { unsafe closedir(listing) }
        var names: [String] = []
        errno = 0
        while let entry = unsafe readdir(listing) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw SystemError() }
        return names.sorted()
    }
}
