// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Commands that root runs on the server of another account.
@Suite(.serialized, .enabled(if: geteuid() == 0)) struct DirectoryOwnerTests {
    private static let owner: uid_t = 65_534

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// A stopped one that belongs to the account `nobody`.
    private let server: RunningServer

    init() throws {
        server = try RunningServer(starts: false)
        try give(server.directory)
    }

    private func give(_ path: String) throws {
        #expect(try Program.run(at: "/bin/chown", ["-R", "\(Self.owner):\(Self.owner)", path]).code == 0)
    }

    /// A folder of root next to a server's directory.
    private func folder(_ server: RunningServer, mode: mode_t = 0o700) throws -> String {
        let path = server.directory + ".root"
        #expect(mkdir(path, mode) == 0)
        return path
    }

    /// A rollback journal whose end names another file. SQLite deletes that file when it has rolled the journal back.
    private func journal(naming victim: String) -> Data {
        func number(_ value: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        let name = Array(victim.utf8)
        let head = magic + [UInt8](repeating: 0, count: 504)
        let end = number(1) + name + number(name.count) + number(name.reduce(0) { $0 + Int($1) }) + magic
        return Data(head + end)
    }

    private func owners(_ directory: String) throws -> Set<Int> {
        let names = try FileManager.default.subpathsOfDirectory(atPath: directory)
        return Set(
            try names.compactMap {
                try FileManager.default.attributesOfItem(atPath: "\(directory)/\($0)")[.ownerAccountID] as? Int
            })
    }

    @Test(arguments: [
        ["user", "list"], ["invite", "alice"], ["audit"], ["backup", "BACKUP"], ["status"], ["fingerprint"],
        ["relying-party", "show"], ["rotate"], ["restore", "BACKUP", "--unauthenticated"],
        ["serve", "--listen", "unix:SOCKET", "--listen", "nonsense"],
    ])
    func `a journal that names another file deletes nothing`(command: [String]) throws {
        let folder = try folder(server, mode: 0o755)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let victim = folder + "/victim", hostile = server.directory + "/state/mpin.sqlite-journal"
        if command[0] == "restore" {
            let backup = try Program.run(["backup", folder + "/backup", "--dir", server.directory])
            #expect(backup.code == 0, "\(backup.errors)")
        }
        try Data("root:!:\n".utf8).write(to: URL(fileURLWithPath: victim))
        for name in ["-wal", "-shm"] { unlink(server.directory + "/state/mpin.sqlite" + name) }
        try journal(naming: victim).write(to: URL(fileURLWithPath: hostile))
        #expect(chmod(hostile, 0o600) == 0)
        try give(server.directory)
        let words = command.map { word in
            ["BACKUP": folder + "/backup", "unix:SOCKET": "unix:\(server.socket)"][word] ?? word
        }
        let run = try Program.run(words + ["--dir", server.directory])
        #expect(exists(victim), "\(words): \(run.code) \(run.errors)")
        #expect(try owners(server.directory) == [Int(Self.owner)], "\(words)")
    }

    @Test func `the trap of these tests works where a user falls into it`() throws {
        let victim = server.directory + ".victim", hostile = server.directory + "/state/mpin.sqlite-journal"
        defer { unlink(victim) }
        try Data("root:!:\n".utf8).write(to: URL(fileURLWithPath: victim))
        try journal(naming: victim).write(to: URL(fileURLWithPath: hostile))
        try give(victim)
        try give(server.directory)
        _ = try Program.run(["user", "list", "--dir", server.directory])
        #expect(!exists(victim))
    }

    @Test func `every command works as root, and leaves files of the owner`() throws {
        let folder = try folder(server)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let dir = ["--dir", server.directory]
        for command in [
            ["invite", "alice"], ["user", "list"], ["audit"], ["status"], ["fingerprint"], ["config", "check"],
            ["host", "add", "laptop"], ["backup", folder + "/backup", "--with-key"], ["rotate"],
            ["restore", folder + "/backup", "--key", folder + "/backup.key"],
        ] {
            let run = try Program.run(command + dir)
            #expect(run.code == 0, "\(command): \(run.errors)")
            #expect(try owners(server.directory) == [Int(Self.owner)], "\(command)")
        }
        // Root has made the backup and its key, where the account cannot look.
        #expect(try owners(folder) == [0])
        // Who ran a command is root, and not the account that it ran as.
        let audit = try Program.run(["audit", "--json"] + dir)
        let events = audit.object["events"] as? [[String: Any]] ?? []
        #expect(events.last?["actor"] as? String == "root", "\(audit.output)")
        try server.start()
        #expect(try owners(server.directory) == [Int(Self.owner)])
        let status = try String(contentsOfFile: "/proc/\(server.processIdentifier)/status", encoding: .utf8)
        #expect(status.contains("\nUid:\t65534\t65534\t65534\t65534\n"))
        #expect(status.contains("\nCapPrm:\t0000000000000000\n"))
        // Its memory stays closed to other processes of the account.
        #expect(
            try FileManager.default.attributesOfItem(atPath: "/proc/\(server.processIdentifier)/environ")[
                .ownerAccountID] as? Int == 0)
        #expect(server.stop() == 0)
    }

    @Test func `a new server belongs to the owner of the directory, or of the one above it`() throws {
        let made = server.directory + "/made"
        let run = try Program.run(["init", "--dir", made])
        #expect(run.code == 0, "\(run.errors)")
        #expect(try owners(server.directory) == [Int(Self.owner)])
        #expect(try owners(made) == [Int(Self.owner)])
    }

    @Test func `root restores nothing that it finds through a link of the owner`() throws {
        let folder = try folder(server)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try Program.run(["backup", folder + "/backup", "--dir", server.directory]).code == 0)
        #expect(symlink(folder, server.directory + "/link") == 0)
        let file = server.directory + "/link/backup"
        let read = try Program.run(["restore", file, "--dir", server.directory])
        #expect(read.code == 77 && read.errors.contains("the account 'nobody' cannot read \(file)"), "\(read.errors)")
        let written = try Program.run(["backup", server.directory + "/link/other", "--dir", server.directory])
        #expect(written.code == 77, "\(written.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["backup"])
    }

    @Test func `a directory that another user can replace is refused`() throws {
        let folder = try folder(server, mode: 0o755)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(rename(server.directory, folder + "/server") == 0)
        defer { rename(folder + "/server", server.directory) }
        let list = { try Program.run(["user", "list", "--dir", folder + "/server"]) }
        #expect(chown(folder, 1, 1) == 0)
        let owned = try list()
        #expect(owned.code == 77 && owned.errors.contains("can replace \(folder)\n"), "\(owned.errors)")
        #expect(chown(folder, 0, 0) == 0 && chmod(folder, 0o775) == 0)
        let writable = try list()
        #expect(writable.code == 77 && writable.errors.contains("can replace \(folder)\n"), "\(writable.errors)")
        #expect(chmod(folder, 0o1777) == 0)
        #expect(try list().code == 0)
        // Neither does root use its own directory there.
        #expect(chmod(folder, 0o755) == 0 && chown(folder, 1, 1) == 0)
        #expect(try Program.run(at: "/bin/chown", ["-R", "0:0", folder + "/server"]).code == 0)
        let own = try list()
        #expect(own.code == 77 && own.errors.contains("users other than root can replace \(folder)"), "\(own.errors)")
        #expect(chown(folder, 0, 0) == 0)
        #expect(try list().code == 0)
    }

    @Test func `a link is not the directory of a server`() throws {
        let folder = try folder(server)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let link = folder + "/link"
        #expect(symlink(server.directory, link) == 0)
        for command in [["user", "list"], ["init"], ["restore", folder + "/backup"], ["serve"]] {
            let run = try Program.run(command + ["--dir", link])
            #expect(run.code == 78 && run.errors.contains("\(link) is not a directory"), "\(command): \(run.errors)")
        }
        // One that does not exist is created in a directory of root.
        #expect(try Program.run(["init", "--dir", folder + "/new"]).code == 0)
        #expect(try owners(folder + "/new") == [0])
    }

    @Test func `a backup that fails leaves an empty file at most, which the next one fills`() throws {
        let folder = try folder(server)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let database = server.directory + "/state/mpin.sqlite", file = folder + "/backup"
        #expect(rename(database, database + ".away") == 0)
        #expect(try Program.run(["backup", file, "--dir", server.directory]).code != 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)).isEmpty)
        #expect(rename(database + ".away", database) == 0)
        #expect(try Program.run(["backup", file, "--dir", server.directory]).code == 0)
        let again = try Program.run(["backup", file, "--dir", server.directory])
        #expect(again.code == 73 && again.errors.contains("already exists"), "\(again.errors)")
    }
}
