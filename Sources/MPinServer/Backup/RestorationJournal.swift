internal import Foundation
internal import Glibc
internal import MPinServerStorage

/// What a restoration changes, written down before: key and database lie in two files, and cannot change at one moment.
///
/// As long as the copy of the backup has not become the database, a restoration that was cut off has not been; whoever opens
/// the directory next takes back what it had done. From then on there is nothing left to be done.
struct RestorationJournal {
    private static let head = "mpin-server restoration, form 1"
    private static let none = "-"
    private static let limit = 4096

    let directory: ServerDirectory
    let change: KeyChange
    /// What the database from before is kept as; nil where there was none.
    let before: String?

    init(_ directory: ServerDirectory, _ change: KeyChange, before: String?) {
        (self.directory, self.change, self.before) = (directory, change, before)
    }

    /// Reads the one of a directory.
    init?(of directory: ServerDirectory) throws(ServerError) {
        let path = Self.path(directory)
        let file = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            let error = SystemError()
            guard error.number == ENOENT else { throw error.fault(path, hint: "") }
            return nil
        }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: Self.limit)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
        let lines = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        // One that was cut off itself: nothing had been changed yet.
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

    /// Writes it, durably.
    func begin() throws(ServerError) {
        let names = [change.file, change.old?.file, change.old?.former, before].map { file in
            file.map { ($0 as NSString).lastPathComponent } ?? Self.none
        }
        let text = Array(([Self.head] + names).joined(separator: "\n").utf8) + [UInt8(ascii: "\n")]
        let path = Self.path(directory)
        let file = try PrivateFile.make(path)
        defer { close(file) }
        let count = unsafe text.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
        guard count == text.count, fsync(file) == 0 else {
            let error = SystemError()
            unsafe unlink(path)
            throw ServerError(.storage, "cannot write \(path): \(error.text)", hint: "Nothing was changed.")
        }
        try PrivateFile.sync(directory.path)
    }

    /// Takes back what was done, unless the backup is the database already.
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

    /// Removes it.
    func end() throws(ServerError) {
        unsafe unlink(Self.path(directory))
        try PrivateFile.sync(directory.path)
    }

    /// The database has never lost its name; its log may have.
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
    /// The copy of a backup that is to become the database.
    var unrestoredDatabase: String { database + ".restoring" }

    /// Ends a restoration that was cut off.
    ///
    /// - Throws: ``ServerError`` of kind `unavailable` while one is going on.
    func settleRestoration() throws(ServerError) {
        guard try RestorationJournal(of: self) != nil else { return }
        let lock = try ServerLock(self)
        defer { withExtendedLifetime(lock) {} }
        // It may have ended meanwhile.
        try RestorationJournal(of: self)?.settle()
    }
}
