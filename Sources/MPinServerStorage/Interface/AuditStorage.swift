// SPDX-License-Identifier: Apache-2.0

/// The audit log.
package protocol AuditStorage: Sendable {
    /// Adds events.
    func record(_ events: [AuditEvent]) throws(ServerError)

    /// The newest events, oldest first.
    ///
    /// - Parameters:
    ///   - user: selects the events about this user; nil selects all.
    ///   - times: selects the events of these times, in milliseconds.
    func events(user: String?, times: Range<Int64>, limit: Int) throws(ServerError) -> [AuditLine]

    /// The next events in order, oldest first. A limited number, so that a long log needs little memory.
    ///
    /// - Parameter last: the number of the last event that was read; 0 for none.
    /// - Returns: the events and the number of the last one; nil after the end.
    func events(
        after last: Int64, user: String?, times: Range<Int64>
    ) throws(ServerError) -> (events: [AuditLine], last: Int64)?

    /// The newest event of a kind; nil if there is none.
    func lastEvent(_ kind: AuditKind) throws(ServerError) -> AuditLine?

    /// When each device of a user was last refused because a request lacked the signature of its key.
    func unsignedRefusals(_ user: String) throws(ServerError) -> [Int: Timestamp]
}
