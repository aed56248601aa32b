// SPDX-License-Identifier: Apache-2.0
internal import MPin

/// A question of an action to the user for whom it is performed.
package struct ActionQuestion: Sendable {
    package enum Kind: Int, CaseIterable, Sendable {
        case pin
        /// The PIN once more: it may be the last try, or has become the last one meanwhile.
        case lastTry, lastTryNow
        case newPIN
        case code
        /// Enter, to sign out the session that was signed in.
        case enter
    }

    package let kind: Kind
    package let identity: String
    /// The tries that are left, to show: as the server last reported, less those that may have counted since.
    package let attemptsLeft: Int?
    package let session: SessionSummary?

    init(_ kind: Kind, _ user: User, attemptsLeft: Int? = nil, _ session: SessionSummary? = nil) {
        (self.kind, identity, self.attemptsLeft, self.session) = (kind, user.identity, attemptsLeft, session)
    }

    init(_ kind: Kind, for identity: String) {
        (self.kind, self.identity, attemptsLeft, session) = (kind, identity, nil, nil)
    }

    /// Reads a message; nil if it is no question.
    package init?(_ fields: inout ActionFields) {
        guard let kind = fields.item(of: Kind.allCases) else { return nil }
        (self.kind, identity, attemptsLeft) = (kind, fields.text(), fields.optionalNumber())
        let texts = fields.items { $0.text() }
        session = SessionSummary(texts)
        guard fields.isWhole, texts.isEmpty || session != nil else { return nil }
    }

    var fields: ActionFields {
        var fields = ActionFields()
        fields.add(kind.rawValue)
        fields.add(identity)
        fields.add(attemptsLeft)
        fields.add(session?.texts ?? []) { $0.add($1) }
        return fields
    }
}
