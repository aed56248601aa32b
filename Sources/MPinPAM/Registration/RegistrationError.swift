// SPDX-License-Identifier: Apache-2.0
package import MPin
internal import MPinWire

/// The reason why there is no registration to log in with.
package enum RegistrationError: Error, Sendable {
    /// An error of the store, including ``StoreError/notEnrolled``.
    case store(StoreError)
    /// There are records, but none for this server and identity, or none is readable. `isRevoked` if a server has
    /// revoked a registration of this identity at another address.
    case noneFits(isRevoked: Bool)
    /// Several registrations match.
    case ambiguous
    /// No identity can be made from the account's name.
    case unmappable

    /// The outcome of a login.
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
