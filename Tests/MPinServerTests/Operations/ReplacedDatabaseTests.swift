// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB
import Testing

/// A restore reads the database that it replaces, and changes nothing in it.
@Suite(.serialized) struct ReplacedDatabaseTests {
    /// The version of a database, and the users of its open invitations.
    private func content(_ file: String) throws -> [String] {
        try DatabaseQueue(path: file).read { database in
            try String.fetchAll(database, sql: "SELECT user_version FROM pragma_user_version")
                + String.fetchAll(database, sql: "SELECT user_id FROM invitation WHERE used IS NULL")
        }
    }

    @Test func `a replaced database keeps its version and its codes, whether the restore succeeds or fails`() throws {
        let (server, other) = (try RunningServer(), try RunningServer())
        let (backup, foreign) = (server.directory + "/backup", server.directory + "/foreign")
        #expect(try server.command("invite", "alice").code == 0)
        #expect(try server.command("backup", backup).code == 0)
        #expect(try other.command("backup", foreign).code == 0)
        #expect(server.stop() == 0)
        let file = server.directory + "/state/mpin.sqlite"
        // As another version left it, which this one cannot read.
        let queue = try DatabaseQueue(path: file)
        try queue.execute("PRAGMA user_version = 0")
        try queue.close()
        #expect(try content(file) == ["0", "alice"])
        // Without the MAC, another server's backup is refused only because of its master shares.
        try AlteredBackup.withoutMAC(Data(contentsOf: URL(filePath: foreign))).write(to: URL(filePath: foreign))
        chmod(foreign, 0o600)
        let refused = try server.command("restore", foreign, "--unauthenticated")
        #expect(refused.code == 78, "\(refused.output)")
        #expect(try content(file) == ["0", "alice"])
        let restored = try server.command("restore", backup)
        #expect(restored.code == 0 && restored.object["usedLoginsKnown"] as? Bool == false, "\(restored.output)")
        #expect(try content(#require(restored.object["before"] as? String) + "/mpin.sqlite") == ["0", "alice"])
        #expect(try content(file) == ["6", "alice"])
    }
}
