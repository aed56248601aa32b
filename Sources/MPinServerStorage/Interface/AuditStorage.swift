/// The audit log.
package protocol AuditStorage: Sendable {
    /// Adds events.
    func record(_ events: [AuditEvent]) throws(ServerError)

    /// The newest events, oldest first.
    ///
    /// - Parameters:
    ///   - user: only those about this user.
    ///   - times: only those of these times, in milliseconds.
    func events(user: String?, times: Range<Int64>, limit: Int) throws(ServerError) -> [AuditLine]

    /// The next of all events, oldest first: a slice of them, so that a long log needs little memory.
    ///
    /// - Parameter last: the number of the last one that was read; 0 for none.
    /// - Returns: the events, and the number of the last; nil behind the end.
    func events(
        after last: Int64, user: String?, times: Range<Int64>
    ) throws(ServerError) -> (events: [AuditLine], last: Int64)?

    /// When each device of a user was last refused because a request was not signed with its key.
    func unsignedRefusals(_ user: String) throws(ServerError) -> [Int: Timestamp]
}
