// SPDX-License-Identifier: Apache-2.0
package import MPin
package import MPinConfiguration
package import MPinWire

/// Chooses the registration of an account that a login is for.
package enum RegistrationSelection {
    /// The registration with the configured server and identity.
    ///
    /// If neither is configured, the only registration; of several, the only one that can log in, or among those the
    /// one whose identity is the account's name. `mpin-enroll` chooses in the same way.
    /// - Parameter isDamaged: whether there are records that could not be read.
    package static func choose<C: RegistrationCandidate>(
        _ candidates: [C], account: ByteText, _ configuration: Configuration, isDamaged: Bool
    ) throws(RegistrationError) -> C {
        var server: ByteText?
        if let address = configuration.value(.server) {
            guard let backend = Backend(address) else { throw .noneFits(isRevoked: false) }
            server = backend.address
        }
        var identity: ByteText?
        if let map = configuration.userMap {
            identity = map.identity(for: account)
            guard identity != nil else { throw .unmappable }
        }
        var first: C?
        var usable: C?
        var own: C?
        var (count, usableCount, ownCount) = (0, 0, 0)
        var isRevoked = false
        for candidate in candidates {
            if let identity, candidate.identityText != identity { continue }
            if let server, candidate.backendText != server {
                if candidate.lastRefusal == .revoked { isRevoked = true }
                continue
            }
            count += 1
            if first == nil { first = candidate }
            guard candidate.state == .registered || candidate.state == .blocked else { continue }
            if identity == nil && candidate.identityText == account {
                ownCount += 1
                own = candidate
            }
            usableCount += 1
            usable = candidate
        }
        if count > 1 {
            if usableCount > 1 && ownCount == 1 {
                usable = own
            } else {
                guard usableCount <= 1 else { throw .ambiguous }
            }
            if let usable { return usable }
        }
        guard let first else {
            throw isDamaged ? .store(.damaged("a record cannot be read")) : .noneFits(isRevoked: isRevoked)
        }
        return first
    }
}

/// The properties of a registration that are needed to choose one.
package protocol RegistrationCandidate {
    var identityText: ByteText { get }
    var backendText: ByteText { get }
    var state: UserState { get }
    var lastRefusal: MPinStatus? { get }
}

extension User: RegistrationCandidate {}

/// The reason why there is no registration to log in with.
package enum RegistrationError: Error, Sendable {
    /// An error of the store, including ``StoreError/notEnrolled``.
    case store(StoreError)
    /// The records belong to a deleted account with the same name and another user ID.
    case replaced
    /// There are records, but none for this server and identity, or none is readable. `isRevoked` if a server has
    /// revoked a registration of this identity at another address.
    case noneFits(isRevoked: Bool)
    case ambiguous
    /// No identity can be made from the account's name.
    case unmappable

    package var outcome: LoginOutcome {
        switch self {
        case .store(.notEnrolled), .replaced: .notEnrolled(isProven: true)
        case .store(.noStore), .store(.badAccountName): .notEnrolled(isProven: false)
        case .store(.notPermitted): .storeClosed
        case .store(let error): .storeUnusable(error.text)
        case .noneFits: .notEnrolled(isProven: false)
        case .ambiguous: .misconfigured("several registrations match; set server or user_map")
        case .unmappable: .misconfigured("user_map gives no identity for this account")
        }
    }
}
