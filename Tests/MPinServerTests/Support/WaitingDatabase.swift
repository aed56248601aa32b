// SPDX-License-Identifier: Apache-2.0
import GRDB

extension DatabaseQueue {
    /// A connection to the database of a server that may be running: it waits while the server writes.
    static func waiting(_ path: String) throws -> DatabaseQueue {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(60)
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}
