// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import MPinServerStorage
import Synchronization
internal import SystemFiles

/// A file that a backup is written to. Root creates it before it becomes the owner of the server's directory, because
/// that account often cannot write there.
///
/// So it has its name from the start. A backup that fails leaves no file or, where the owner of the directory cannot
/// delete it, an empty one. An incomplete one, after a crash, has no MAC.
package final class BackupTarget: Sendable {
    package let path: String
    private let file: SystemFile
    private let parent: SystemFile
    private let isComplete = Atomic(false)

    /// Creates the file, or takes an empty one of the caller that a failed backup has left.
    package init(_ path: String) throws(ServerError) {
        self.path = path
        let directory = FileName.parent(of: path)
        do throws(FileError) { parent = try SystemFile(directory, O_RDONLY | O_DIRECTORY) } catch {
            guard error.cause.number == ENOENT else { throw ServerError(error) }
            throw ServerError(.cannotCreate, "cannot create \(path): its directory does not exist")
        }
        do throws(FileError) { file = try SystemFile.new(path) } catch {
            guard error.cause.number == EEXIST else { throw ServerError(error) }
            guard let empty = try? SystemFile(path, O_WRONLY | O_NOFOLLOW), let facts = empty.facts, facts.isFile,
                facts.size == 0, facts.owner == geteuid(), facts.linkCount == 1, !facts.isAccessibleToOthers
            else {
                throw ServerError(
                    .cannotCreate, "\(path) already exists", hint: "Nothing was changed. Choose another name.")
            }
            file = empty
        }
    }

    /// Copies a regular file into this one, and waits until it is on the disk.
    func fill(from source: String) throws(ServerError) {
        try ServerError.ofFiles { () throws(FileError) in
            let from = try SystemFile.regular(source, O_RDONLY | O_NOFOLLOW)
            while case let bytes = try from.read(upTo: 1 << 20), !bytes.isEmpty { try file.write(bytes.span) }
            try file.sync(.write)
            try parent.sync()
        }
        isComplete.store(true, ordering: .relaxed)
    }

    func discard() { isComplete.store(false, ordering: .relaxed) }

    deinit {
        guard !isComplete.load(ordering: .relaxed) else { return }
        if FileIdentity(of: path) == file.facts?.identity, unsafe unlink(path) == 0 { return }
        _ = ftruncate(file.descriptor, 0)
    }
}
