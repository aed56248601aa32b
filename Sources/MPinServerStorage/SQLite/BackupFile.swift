// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import Glibc
internal import SystemFiles

/// A file to be restored as a backup, which is not trusted yet.
package struct BackupFile {
    /// The name of the file in messages.
    let name: String
    /// The path of the copy that is checked.
    let path: String

    package init(name: String, path: String) {
        self.name = name
        self.path = path
    }

    /// Checks by the first bytes that the file looks like a complete database of mpin-server. SQLite does not open it.
    package func checkHeader() throws(ServerError) {
        // https://www.sqlite.org/fileformat2.html#the_database_header
        let file = try ServerError.ofFiles { () throws(FileError) in try SystemFile(path) }
        let header = try ServerError.ofFiles { () throws(FileError) in try file.read(upTo: 100) }
        func number(_ place: Int, _ count: Int) -> Int { header[place..<place + count].reduce(0) { $0 << 8 | Int($1) } }
        guard header.count == 100, header.starts(with: Array("SQLite format 3\0".utf8)),
            number(68, 4) == Int(Schema.applicationID)
        else { throw foreign }
        let pageSize = number(16, 2) == 1 ? 65_536 : number(16, 2)
        let size = lseek(file.descriptor, 0, SEEK_END)
        guard size >= off_t(pageSize * number(28, 4)) else { throw Self.damaged(name) }
    }

    /// Checks that it is a complete backup, made by this version of the server.
    package func check() throws(ServerError) -> String {
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            return try queue.read(look)
        } catch let fault as ServerError {
            throw fault
        } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
            throw foreign
        } catch {
            throw Self.damaged(name)
        }
    }

    private func look(_ database: Database) throws -> String {
        guard try Int.fetchOne(database, sql: "PRAGMA application_id") == Schema.applicationID,
            try database.tableExists("setting")
        else { throw foreign }
        // A trigger would run in the restored database, where it could undo a revocation or a count.
        let added = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type IN ('trigger', 'view'))"
        guard try Bool.fetchOne(database, sql: added) == false else {
            throw ServerError(
                .badInput, "\(name) was altered: it contains triggers or views, which backups never have",
                hint: "Nothing was changed. Use another backup.")
        }
        try Schema.check(database, name: name)
        let taken = try String.fetchOne(
            database, sql: "SELECT value FROM setting WHERE name = ?", arguments: [ServerStorage.backupMark])
        // Checked, because the time is printed.
        guard let taken, Timestamp(utc: taken) != nil else {
            throw ServerError(
                .badInput, "\(name) was not made by 'mpin-server backup', so it may lack the latest changes",
                hint: "Nothing was changed. Give a file made by 'mpin-server backup'.")
        }
        guard try String.fetchAll(database, sql: "PRAGMA integrity_check") == ["ok"] else { throw Self.damaged(name) }
        return taken
    }

    private var foreign: ServerError {
        ServerError(
            .badInput, "\(name) is not an mpin-server backup",
            hint: "Nothing was changed. Give a file made by 'mpin-server backup'.")
    }

    private static func damaged(_ name: String) -> ServerError {
        ServerError(.storage, "\(name) is damaged or incomplete", hint: "Nothing was changed. Use another backup.")
    }
}

package enum DatabaseFiles {
    /// Removes a database and the files that SQLite keeps next to it, as far as they exist.
    package static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unsafe unlink(path + suffix) }
    }
}
