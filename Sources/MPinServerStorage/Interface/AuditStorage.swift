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
    /// - Parameter last: the place in the log after which to read; 0 for its beginning.
    /// - Returns: the events; the place up to which the log was read; and whether that is its present end. Later events
    ///   come after that place.
    func events(
        after last: Int64, user: String?, times: Range<Int64>
    ) throws(ServerError) -> (events: [AuditLine], last: Int64, isEnd: Bool)

    /// The place in the log before the newest events.
    ///
    /// - Parameter count: how many of the selected events come after the place; fewer if there are not so many.
    func place(beforeNewest count: Int, user: String?) throws(ServerError) -> Int64

    /// The newest event of a kind; nil if there is none.
    func lastEvent(_ kind: AuditKind) throws(ServerError) -> AuditLine?

    /// When each device of a user was last refused because it has no key.
    func unsignedRefusals(_ user: String) throws(ServerError) -> [Int: Timestamp]
}
