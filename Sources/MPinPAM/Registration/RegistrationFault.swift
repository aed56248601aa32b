package import MPin
internal import MPinWire

/// Why there is no registration to log in with.
package enum RegistrationFault: Error, Sendable {
    /// The store, ``StoreError/notEnrolled`` included.
    case store(StoreError)
    /// There are records, but none for this server and identity, or none that can be read.
    case noneFits
    /// Several registrations fit.
    case ambiguous
    /// The account has a name from which no identity can be made.
    case unmappable

    /// What it means for a login.
    package var outcome: LoginOutcome {
        switch self {
        case .store(.notEnrolled): .notEnrolled(isProven: true)
        case .store(.noStore), .store(.badAccountName): .notEnrolled(isProven: false)
        case .store(.notPermitted): .storeClosed
        case .store(let error): .storeUnusable(error.text)
        case .noneFits: .notEnrolled(isProven: false)
        case .ambiguous: .misconfigured("several registrations match; set server or user_map")
        case .unmappable: .misconfigured("user_map gives no identity for this account")
        }
    }
}
