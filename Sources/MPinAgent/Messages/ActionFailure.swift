// SPDX-License-Identifier: Apache-2.0
package import MPin

/// Why an action failed, for the program that shows it.
package struct ActionFailure: Error, Sendable {
    /// Whether the caller tried a code or number that the server does not know.
    var isWrongGuess: Bool { kind == .unknownSession || kind == .refusedCode }

    package enum Kind: Int, CaseIterable, Sendable {
        /// The account's records cannot be opened; see ``storeError``.
        case store
        /// An SDK call failed: before any request, at a server (``texts``), or for a registration.
        case call, callAtServer, callOfRegistration
        /// The account has no registration, or none that was selected; ``texts`` has the others, and ``registration``
        /// the one that was most likely meant.
        case notEnrolled, notSelected
        /// The records belong to a deleted account with the same name and another user ID.
        case replaced
        /// The identity is registered at several servers (``texts``).
        case severalServers
        /// A record is damaged, or the file of the account could not be read and was set aside.
        case damagedRecord, putAside
        /// The registration cannot log in, because of its state.
        case cannotLogIn
        /// The purpose needs a registration with a device key.
        case noDeviceKey
        /// The server lacks an extension; ``texts`` has the server and what it does not support.
        case notOffered
        /// The text is no access number, or the server does not know the session.
        case malformedCode, unknownSession
        /// The PIN was right, but the session did not answer in time, or was not signed out from here.
        case lateSession, notSignedOut
        /// The block could not be recorded on this machine.
        case unrecordedBlock
        /// The user typed two different PINs, or the current one as the new one.
        case notConfirmed, samePIN
        /// The new PIN is too easy to guess.
        case weakPIN
        /// The PIN was changed, but the disk did not confirm that.
        case unconfirmedPIN
        /// The server did not prove that it knows the code, so the registration does not count.
        case unprovenCode
        case refusedCode
        case enrolledAlready
        /// Another program changes the enrollment of the account.
        case isEnrolling
        /// The first login with a new PIN failed. The stored registration can be continued.
        case firstLogin
        /// The caller did not answer a question.
        case unanswered
        /// The agent's configuration cannot be used; only root may do this here (``texts`` has the reason).
        case configuration, notPermitted
    }

    package let kind: Kind
    package let registration: RegistrationSummary?
    package let error: MPinError?
    package let storeError: StoreError?
    package let texts: [String]

    package init(
        _ kind: Kind, _ registration: RegistrationSummary? = nil, error: MPinError? = nil,
        store storeError: StoreError? = nil, texts: [String] = []
    ) {
        (self.kind, self.registration, self.error) = (kind, registration, error)
        (self.storeError, self.texts) = (storeError, texts)
    }

    /// A failed call for a registration.
    package init(_ error: MPinError, of user: User) { self.init(.callOfRegistration, user.summary, error: error) }

    package init(_ error: MPinError, at server: String) { self.init(.callAtServer, error: error, texts: [server]) }

    // MARK: In messages

    /// Errors of the store without their reasons, which only root can do something about.
    private static let storeErrors: [StoreError] = [
        .notEnrolled, .noStore, .notPermitted, .unsafe("is not safe"), .damaged("a record is damaged"),
        .badAccountName, .busy, .noMemory, .full, .otherVersion,
    ]

    private static func position(_ error: StoreError) -> Int {
        switch error {
        case .notEnrolled: 0
        case .noStore: 1
        case .notPermitted: 2
        case .unsafe: 3
        case .damaged: 4
        case .badAccountName: 5
        case .busy: 6
        case .noMemory: 7
        case .full: 8
        case .otherVersion: 9
        case .failed(let number): 1000 + Int(number)
        // Only applications have such stores.
        case .own: 4
        }
    }

    /// Reads a message; nil if it is no failure.
    package init?(_ fields: inout ActionFields) {
        guard let kind = fields.item(of: Kind.allCases) else { return nil }
        self.kind = kind
        if fields.flag() {
            guard let registration = RegistrationSummary(&fields) else { return nil }
            self.registration = registration
        } else {
            registration = nil
        }
        error = fields.error()
        storeError = fields.optionalNumber().flatMap { number in
            Self.storeErrors.indices.contains(number)
                ? Self.storeErrors[number] : .failed(Int32(truncatingIfNeeded: number &- 1000))
        }
        texts = fields.items { $0.text() }
        guard fields.isWhole else { return nil }
    }

    package var fields: ActionFields {
        var fields = ActionFields()
        fields.add(kind.rawValue)
        fields.add(registration != nil)
        if let registration { fields.add(registration) }
        fields.add(error)
        fields.add(storeError.map(Self.position))
        fields.add(texts) { $0.add($1) }
        return fields
    }
}
