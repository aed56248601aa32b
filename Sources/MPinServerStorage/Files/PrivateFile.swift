// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import SystemFiles

/// Files that only their owner can read, created under names that no other file has.
package enum PrivateFile {
    package static func make(_ path: String) throws(ServerError) {
        try ServerError.ofFiles { () throws(FileError) in _ = try SystemFile.new(path) }
    }

    /// Writes a file durably, or replaces it.
    package static func write(_ bytes: Span<UInt8>, to path: String) throws(ServerError) {
        try ServerError.ofFiles { () throws(FileError) in try DurableFile.write(bytes, to: path, .replacing) }
    }

    /// Copies an open file to a new one, which the caller syncs, or removes after an error.
    package static func copy(_ source: borrowing SystemFile, to target: String) throws(ServerError) {
        try ServerError.ofFiles { () throws(FileError) in
            let to = try SystemFile.new(target)
            while case let bytes = try source.read(upTo: 1 << 20), !bytes.isEmpty { try to.write(bytes.span) }
        }
    }

    /// The last bytes of a file; nil if the file is shorter.
    package static func tail(of path: String, _ count: Int) throws(ServerError) -> [UInt8]? {
        try ServerError.ofFiles { () throws(FileError) in
            let file = try SystemFile(path)
            return lseek(file.descriptor, -off_t(count), SEEK_END) < 0 ? nil : try file.read(upTo: count)
        }
    }

    package static func append(_ bytes: [UInt8], to path: String) throws(ServerError) {
        try ServerError.ofFiles { () throws(FileError) in
            try SystemFile(path, O_WRONLY | O_APPEND | O_NOFOLLOW).write(bytes.span)
        }
    }

    package static func cut(_ path: String, _ count: Int) throws(ServerError) {
        guard let facts = FileFacts(of: path), unsafe truncate(path, off_t(facts.size - count)) == 0 else {
            throw ServerError(.storage, "cannot write \(path): \(SystemError().text)")
        }
    }

    package static func remove(_ path: String) throws(ServerError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else {
            throw ServerError(.storage, "cannot remove \(path): \(SystemError().text)")
        }
    }

    /// Renames a file, and replaces one of the other name.
    package static func rename(_ path: String, to other: String) throws(ServerError) {
        guard unsafe Glibc.rename(path, other) == 0 else {
            throw ServerError(.storage, "cannot rename \(path) to \(other): \(SystemError().text)")
        }
    }

    package static func sync(_ path: String) throws(ServerError) {
        try ServerError.ofFiles { () throws(FileError) in try DurableFile.sync(path) }
    }
}
