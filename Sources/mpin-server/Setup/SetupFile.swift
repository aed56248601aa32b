// SPDX-License-Identifier: Apache-2.0
import Glibc
import MPinServerStorage
import SystemFiles

/// Files of this host that setup writes, for all users to read.
enum SetupFile {
    static func write(_ text: String, to path: String, _ naming: DurableFile.Naming) throws(ServerError) {
        DurableFile.removeDrafts(in: FileName.parent(of: path))
        do throws(FileError) { try DurableFile.write(text.utf8.span, to: path, naming, mode: 0o644) } catch {
            throw failed(path, error.cause)
        }
    }

    /// Creates a directory, unless it exists.
    static func make(directory path: String) throws(ServerError) {
        guard unsafe mkdir(path, 0o755) == 0 || errno == EEXIST else { throw failed(path, SystemError()) }
    }

    /// Removes a file, if it exists.
    static func remove(_ path: String) throws(ServerError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw failed(path, SystemError()) }
    }

    static func failed(_ path: String, _ cause: SystemError) -> ServerError {
        ServerError(.cannotCreate, "cannot write \(path): \(cause.text)")
    }
}
