// SPDX-License-Identifier: Apache-2.0

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
