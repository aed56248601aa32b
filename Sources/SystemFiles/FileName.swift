// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import Glibc

package enum FileName {
    package static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The name of a file without its directory.
    package static func last(of path: String) -> String { String(path.split(separator: "/").last ?? "") }

    /// The path from the root directory, for use by other programs, or by this one if it opens files component by
    /// component.
    ///
    /// - Parameter path: an empty one stays empty.
    package static func absolute(_ path: String) -> String {
        guard !path.isEmpty, !path.hasPrefix("/"), let current = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(current) }
        return unsafe String(cString: current) + "/" + path
    }
}

package enum Directory {
    /// Exchanges the names of two directories, atomically.
    package static func exchange(_ path: String, _ other: String) throws(SystemError) {
        let result = unsafe mpin_path_exchange(path, other)
        if result != 0 { throw SystemError(-result) }
    }

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
