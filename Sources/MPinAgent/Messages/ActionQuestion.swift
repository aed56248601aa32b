// SPDX-License-Identifier: Apache-2.0
package import MPin

/// A question of an action to the user for whom it is performed.
package struct ActionQuestion: Sendable {
    package enum Kind: Int, CaseIterable, Sendable {
        /// The current PIN.
        case pin
        /// The PIN once more: it may be the last try, or has become the last one meanwhile.
        case lastTry, lastTryNow
        case newPIN
        /// An enrollment code.
        case code
        /// Enter, to sign out the session that was signed in.
        case enter
    }

    package let kind: Kind
    /// The registration that the question is about; before there is one, only ``identity`` is known.
    package let registration: RegistrationSummary?
    package let identity: String
    /// The details of the session that the PIN signs in.
    package let session: SessionDetails?

    init(_ kind: Kind, _ user: User, _ session: SessionDetails? = nil) {
        self.kind = kind
        (registration, identity, self.session) = (user.summary, user.identity, session)
    }

    init(_ kind: Kind, for identity: String) {
        self.kind = kind
        (registration, self.identity, session) = (nil, identity, nil)
    }

    /// Reads a message; nil if it is no question.
    package init?(_ fields: inout ActionFields) {
        guard let kind = fields.item(of: Kind.allCases) else { return nil }
        (self.kind, identity) = (kind, fields.text())
        let isKnown = fields.flag()
        registration = isKnown ? RegistrationSummary(&fields) : nil
        session = fields.flag() ? fields.session() : nil
        guard fields.isWhole, isKnown == (registration != nil) else { return nil }
    }

    var fields: ActionFields {
        var fields = ActionFields()
        fields.add(kind.rawValue)
        fields.add(identity)
        fields.add(registration != nil)
        if let registration { fields.add(registration) }
        fields.add(session != nil)
        if let session { fields.add(session) }
        return fields
    }
}

extension ActionFields {
    fileprivate mutating func add(_ session: SessionDetails) {
        add(session.prerollID)
        add(session.appName)
        add(session.appLogoURL)
        add(session.requester != nil)
        guard let requester = session.requester else { return }
        add(requester.isVerified)
        add(requester.host)
        add(requester.account)
        add(requester.service)
        add(requester.address)
    }

    fileprivate mutating func session() -> SessionDetails {
        let (preroll, name, logo) = (text(), text(), text())
        guard flag() else {
            return SessionDetails(prerollID: preroll, appName: name, appLogoURL: logo, requester: nil)
        }
        return SessionDetails(
            prerollID: preroll, appName: name, appLogoURL: logo,
            requester: SessionDetails.Requester(
                isVerified: flag(), host: optionalText(), account: optionalText(), service: optionalText(),
                address: optionalText()))
    }

    /// Whether two descriptions of a session are the same.
    static func areSame(_ one: SessionDetails, _ other: SessionDetails) -> Bool {
        var (first, second) = (ActionFields(), ActionFields())
        first.add(one)
        second.add(other)
        return first.bytes == second.bytes
    }
}
