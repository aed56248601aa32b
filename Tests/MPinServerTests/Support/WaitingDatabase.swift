// SPDX-License-Identifier: Apache-2.0
import GRDB

extension DatabaseQueue {
    func execute(_ statements: String, _ arguments: StatementArguments = StatementArguments()) throws {
        try write { try $0.execute(sql: statements, arguments: arguments) }
    }

    /// A connection to the database of a server that may be running: it waits while the server writes.
    static func waiting(_ path: String) throws -> DatabaseQueue {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(60)
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}
