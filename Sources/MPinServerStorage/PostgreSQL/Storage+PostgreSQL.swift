// SPDX-License-Identifier: Apache-2.0

extension ServerStorage {
    /// Opens a PostgreSQL database.
    ///
    /// - Parameters:
    ///   - creates: whether to make the tables, in a database without them.
    ///   - onCommit: called with the duration of each commit.
    package convenience init(
        _ address: PostgreSQLAddress, password: String?, creates: Bool = false,
        onCommit: @escaping @Sendable (Duration) -> Void = { _ in }
    ) throws(ServerError) {
        self.init(
            try PostgreSQLEngine(
                address, password: password, access: creates ? .creating { _ in } : .using, onCommit: onCommit))
    }
}
