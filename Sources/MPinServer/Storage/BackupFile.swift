internal import GRDB

/// A file that is to be restored as a backup, and is not trusted yet.
struct BackupFile {
    /// Its name in messages.
    let name: String
    /// The copy of it that is checked.
    let path: String

    /// Makes sure that it is a whole backup of a server that is not newer than this one.
    ///
    /// - Returns: when it was taken.
    func check() throws(ServerFault) -> String {
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            return try queue.read(look)
        } catch let fault as ServerFault {
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
            throw ServerFault(
                .badInput, "\(name) has been changed: it holds triggers or views, which no backup does",
                hint: "Nothing was changed. Take another backup.")
        }
        guard try !Schema.migrator.hasBeenSuperseded(database) else {
            throw ServerFault(
                .configuration, "\(name) was made by a newer mpin-server",
                hint: "Nothing was changed. Install that one.")
        }
        let taken = try String.fetchOne(
            database, sql: "SELECT value FROM setting WHERE name = ?", arguments: [Store.backupMark])
        guard let taken else {
            throw ServerFault(
                .badInput,
                "\(name) is a database that was copied, and not by 'mpin-server backup': it may lack the newest",
                hint: "Nothing was changed. Give a file that 'mpin-server backup' has made.")
        }
        guard try String.fetchAll(database, sql: "PRAGMA integrity_check") == ["ok"] else { throw Self.damaged(name) }
        return taken
    }

    private var foreign: ServerFault {
        ServerFault(
            .badInput, "\(name) is no backup of mpin-server",
            hint: "Nothing was changed. Give a file that 'mpin-server backup' has made.")
    }

    private static func damaged(_ name: String) -> ServerFault {
        ServerFault(.storage, "\(name) is damaged or cut short", hint: "Nothing was changed. Take another backup.")
    }
}
