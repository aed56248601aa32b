// SPDX-License-Identifier: Apache-2.0

extension ServerStorage {
    /// Opens a PostgreSQL database.
    ///
    /// - Parameters:
    ///   - newest: the path of the file that keeps the newest primary which this host has used.
    ///   - creates: whether to make the tables, in a database without them.
    ///   - onCommit: called with the duration of each commit.
    package convenience init(
        _ address: PostgreSQLAddress, password: String?, newest: String, creates: Bool = false,
        onCommit: @escaping @Sendable (Duration) -> Void = { _ in }
    ) throws(ServerError) {
        self.init(
            try PostgreSQLEngine(
                address, password: password, newest: TimelineFile(path: newest),
                access: creates ? .creating { _ in } : .using, onCommit: onCommit))
    }
}
