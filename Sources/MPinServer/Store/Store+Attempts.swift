internal import Foundation
internal import GRDB

extension Store {
    /// Adds wrong PINs to a registration's count.
    ///
    /// - Returns: the new count; 0 when the registration is gone.
    func addFailures(_ hash: [UInt8], count: Int, event: AuditEvent) throws(ServerFault) -> Int {
        try write { database in
            try database.execute(
                sql: "UPDATE registration SET failures = failures + ? WHERE hash = ?", arguments: [count, Data(hash)])
            try Self.record([event], in: database)
            return try Int.fetchOne(
                database, sql: "SELECT failures FROM registration WHERE hash = ?", arguments: [Data(hash)]) ?? 0
        }
    }

    /// Forgets a registration's wrong PINs after a right one, unless there are more than were known when it was judged.
    func clearFailures(_ hash: [UInt8], known: Int) throws(ServerFault) {
        try write { database in
            try database.execute(
                sql: "UPDATE registration SET failures = 0 WHERE hash = ? AND failures <= ?",
                arguments: [Data(hash), known])
        }
    }
}
