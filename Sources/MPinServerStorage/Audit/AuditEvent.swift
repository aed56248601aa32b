// SPDX-License-Identifier: Apache-2.0

package struct AuditEvent: Sendable {
    package let time: Timestamp
    package let action: AuditAction
    package let user: String?
    /// Where it came from: a peer's user id or address.
    package let source: String?
    /// Who did it: a user ID, or `uid N` for a command.
    package let actor: String?

    package init(
        _ action: AuditAction, at time: Timestamp, user: String? = nil, source: String? = nil, actor: String? = nil
    ) {
        (self.time, self.action, self.user, self.source) = (time, action, user, source)
        self.actor = actor
    }
}

/// A line of the audit log as it was written, possibly by another version of the server.
package struct AuditLine: Sendable {
    package let time: Timestamp
    package let kind: AuditKind
    package let user: String?
    /// Where it came from: a peer's user id or address.
    package let source: String?
    /// Who did it: a user ID, or `uid N` for a command.
    package let actor: String?
    /// A text for people. The server does not parse it.
    package let detail: String?
}
