import Foundation
import GRDB
import MPinServer
import Testing

/// A disk that takes no more, in the shape of a trigger.
@Suite struct LedgerTests {
    @Test func `a wrong PIN that cannot be written down counts all the same`() throws {
        let fixture = try Fixture()
        let alice = try fixture.enrol()
        let database = try DatabaseQueue(path: fixture.path + "/mpin.sqlite")
        try database.write {
            try $0.execute(
                sql: "CREATE TRIGGER full BEFORE UPDATE ON registration BEGIN SELECT RAISE(ABORT, 'full'); END")
        }
        // Each is refused, and the third was the last that was judged.
        for _ in 0..<3 { #expect(try alice.login(pin: "9999", at: fixture).status == 500) }
        #expect(try alice.login(at: fixture).status == 410)
        try database.write { try $0.execute(sql: "DROP TRIGGER full") }
        #expect(try alice.login(at: fixture).status == 410)
    }

    @Test func `a right PIN after wrong ones succeeds only when that is written down`() throws {
        let fixture = try Fixture()
        let alice = try fixture.enrol()
        #expect(try alice.login(pin: "9999", at: fixture).status == 401)
        let database = try DatabaseQueue(path: fixture.path + "/mpin.sqlite")
        try database.write {
            try $0.execute(
                sql: "CREATE TRIGGER full BEFORE UPDATE ON registration BEGIN SELECT RAISE(ABORT, 'full'); END")
        }
        #expect(try alice.login(at: fixture).status == 500)
        try database.write { try $0.execute(sql: "DROP TRIGGER full") }
        #expect(try alice.login(at: fixture).status == 200)
    }

    @Test func `commits wait for the disk`() throws {
        // FULL is 2 (https://www.sqlite.org/pragma.html#pragma_synchronous); only the server's own connection can tell.
        #expect(try Fixture().current.databaseSynchronous() == 2)
    }
}
