internal import MPinWire

/// One line of the audit log. Never holds an M-Pin ID, a code, a one-time value or anything of a PIN.
package struct AuditEvent: Sendable {
    package let time: Timestamp
    package let kind: AuditKind
    package let user: String?
    /// Where it came from: a peer's user id or address.
    package let source: String?
    /// Who did it: a user ID of the server's, or `uid N` for a command.
    package let actor: String?
    package let detail: String?

    package init(
        _ kind: AuditKind, at time: Timestamp, user: String? = nil, source: String? = nil, actor: String? = nil,
        detail: String? = nil
    ) {
        self.time = time
        self.kind = kind
        self.user = user
        self.source = source
        self.actor = actor
        self.detail = detail
    }

    /// How a detail names an identity, by the SHA-256 of its M-Pin ID: the logs of both authorities have the same name.
    package static func identity(_ hash: [UInt8]) -> String { "identity \(HexText(bytes: hash).string)" }
}
