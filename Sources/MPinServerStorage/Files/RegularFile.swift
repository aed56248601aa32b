// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// Files that must be regular ones: opening or reading a named pipe or a device could block indefinitely.
package enum RegularFile {
    /// Reads a whole file.
    ///
    /// - Parameter hint: the hint if the file does not exist.
    package static func read(_ path: String, hint: String = "") throws(ServerError) -> [UInt8] {
        try ServerError.ofFiles(hint: hint) { () throws(FileError) in try SystemFile.regular(path).read(upTo: .max) }
    }

    /// Refuses anything but a regular file, for a library that opens the file itself. The library reports a missing
    /// file.
    package static func check(_ path: String) throws(ServerError) {
        if let fault = fault(of: path) { throw fault }
    }

    /// Why a library must not open a file; nil if it may, or if no file is named.
    package static func fault(of path: String?) -> ServerError? {
        guard let path, let facts = FileFacts(target: path), !facts.isFile else { return nil }
        return ServerError(.configuration, "\(path) is not a regular file")
    }
}
