// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinServerStorage
internal import SystemFiles

/// A record of the changes of a restore, written before them, because key and database are two files that cannot change
/// at the same time.
///
/// Until the copy of the backup has become the database, an interrupted restore is undone by the next process that
/// opens the directory. After that, nothing is left to do.
struct RestorationJournal {
    private static let head = "mpin-server restoration, form 1"
    private static let none = "-"
    private static let limit = 4096

    let directory: ServerDirectory
    let change: KeyChange
    /// The new name of the replaced database; nil if there was none.
    let before: String?

    init(_ directory: ServerDirectory, _ change: KeyChange, before: String?) {
        (self.directory, self.change, self.before) = (directory, change, before)
    }

    /// Reads the journal of an interrupted restore in this directory.
    init?(of directory: ServerDirectory) throws(ServerError) {
        let path = Self.path(directory)
        let bytes: [UInt8]
        do throws(FileError) { bytes = try SystemFile(path).read(upTo: Self.limit) } catch {
            guard [ENOENT, ENOTDIR].contains(error.cause.number) else { throw ServerError(error) }
            return nil
        }
        let lines = String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        // Writing the journal itself was interrupted, so nothing had been changed yet.
        guard lines.count == 6, lines[5].isEmpty else {
            self.init(directory, KeyChange(file: nil, old: nil), before: nil)
            return
        }
        guard lines[0] == Self.head, lines[1...4].allSatisfy({ !$0.isEmpty && !$0.contains("/") }) else {
            throw ServerError(
                .configuration, "\(path), the journal of an unfinished restore, is damaged",
                hint: "Remove it and restore again: mpin-server restore FILE")
        }
        let files = lines[1...4].map { $0 == Self.none ? nil : "\(directory.path)/\($0)" }
        let old = files[1].flatMap { file in files[2].map { (file: file, former: $0) } }
        self.init(directory, KeyChange(file: files[0], old: old), before: files[3])
    }

    private static func path(_ directory: ServerDirectory) -> String { "\(directory.path)/restoring" }

    /// Writes the journal durably.
    func begin() throws(ServerError) {
        let names = [change.file, change.old?.file, change.old?.former, before].map { file in
            file.map(FileName.last) ?? Self.none
        }
        let text = Array(([Self.head] + names).joined(separator: "\n").utf8) + [UInt8(ascii: "\n")]
        try PrivateFile.write(text.span, to: Self.path(directory))
    }

    /// Undoes the restore, unless the backup has become the database.
    func settle() throws(ServerError) {
        let isDone = !FileFacts.isThere(directory.unrestoredDatabase)
        if !isDone {
            change.undo()
            takeBackDatabase()
            try PrivateFile.sync(directory.path)
        }
        try end()
        DatabaseFiles.remove(directory.unrestoredDatabase)
    }

    /// Removes the journal.
    func end() throws(ServerError) {
        unsafe unlink(Self.path(directory))
        try PrivateFile.sync(directory.path)
    }

    /// Restores the log of the database. The database itself has kept its name.
    private func takeBackDatabase() {
        guard let before, FileFacts.isThere(directory.database) else { return }
        if FileFacts.isThere(before + "-wal") {
            unsafe link(before + "-wal", directory.database + "-wal")
            unsafe unlink(before + "-wal")
        }
        unsafe unlink(before)
    }
}

extension ServerDirectory {
    /// The copy of a backup before it becomes the database.
    var unrestoredDatabase: String { database + ".restoring" }

    /// Undoes an interrupted restore, or finishes it.
    ///
    /// - Throws: ``ServerError`` of kind `unavailable` while a restore is in progress.
    func settleRestoration() throws(ServerError) {
        try demandOwner()
        guard try RestorationJournal(of: self) != nil else { return }
        let lock = try ServerLock(self)
        defer { withExtendedLifetime(lock) {} }
        // It may have finished in the meantime.
        try RestorationJournal(of: self)?.settle()
    }
}
