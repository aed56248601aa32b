// SPDX-License-Identifier: Apache-2.0
import Foundation
import GRDB

/// Servers from before servers had keys.
enum ServerBefore {
    /// The name that such a server has.
    static let name = [UInt8](repeating: 0xB4, count: 16)

    /// Takes the key out of a database, and gives the server a name as it had then.
    static func make(_ database: Database) throws {
        try database.execute(
            sql: """
                DELETE FROM setting WHERE name IN ('serverKey', 'serverPublicKey');
                UPDATE setting SET value = '\(hex(name))' WHERE name = 'serverID';
                """)
    }
}
