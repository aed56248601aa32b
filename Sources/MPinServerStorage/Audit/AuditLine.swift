/// One line of the audit log, as it was written down, by this version of the server or another one.
package struct AuditLine: Sendable {
    package let time: Timestamp
    package let kind: AuditKind
    package let user: String?
    /// Where it came from: a peer's user id or address.
    package let source: String?
    /// Who did it: a user ID of the server's, or `uid N` for a command.
    package let actor: String?
    /// For people; nothing is read from it.
    package let detail: String?
}
