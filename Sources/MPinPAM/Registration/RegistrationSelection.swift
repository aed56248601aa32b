// SPDX-License-Identifier: Apache-2.0
internal import MPin
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
