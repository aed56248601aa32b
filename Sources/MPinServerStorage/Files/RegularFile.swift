// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Files that must be regular ones: opening or reading a named pipe or a device could block indefinitely.
package enum RegularFile {
    /// Opens a file.
    ///
    /// - Parameter hint: the hint if the file does not exist.
    /// - Returns: its descriptor.
    package static func open(_ path: String, _ flags: Int32 = O_RDONLY, hint: String = "") throws(ServerError) -> Int32
    {
        let file = unsafe Glibc.open(path, flags | O_NONBLOCK | O_CLOEXEC)
        // A socket, or a named pipe that is opened for writing.
        guard file >= 0 || errno != ENXIO else { throw fault(path) }
        guard file >= 0 else { throw SystemError().fault(path, hint: hint) }
        var facts = stat()
        guard unsafe fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw fault(path)
        }
        return file
    }

    /// Reads a whole file.
    ///
    /// - Parameter hint: the hint if the file does not exist.
    package static func read(_ path: String, hint: String = "") throws(ServerError) -> [UInt8] {
        let file = try open(path, hint: hint)
        defer { close(file) }
        var content: [UInt8] = []
        while case let bytes = try PrivateFile.read(from: file, path, upTo: 1 << 16), !bytes.isEmpty {
            content += bytes
        }
        return content
    }

    /// Refuses anything but a regular file, for a library that opens the file itself. The library reports a missing
    /// file.
    package static func check(_ path: String) throws(ServerError) {
        if let fault = fault(of: path) { throw fault }
    }

    /// Why a library must not open a file; nil if it may, or if no file is named.
    package static func fault(of path: String?) -> ServerError? {
        var facts = stat()
        guard let path, unsafe stat(path, &facts) == 0, facts.st_mode & S_IFMT != S_IFREG else { return nil }
        return fault(path)
    }

    private static func fault(_ path: String) -> ServerError {
        ServerError(.configuration, "\(path) is not a regular file")
    }
}
