// SPDX-License-Identifier: Apache-2.0
package import MPinCrypto
internal import MPinWire

/// Changes of the key or address to which the registrations in an account's file belong. Each is one write under the
/// store's lock, and can be repeated after a crash.
extension MPinClient {
    /// Gives the registrations at a server's address its key, as a person has confirmed it.
    ///
    /// Milagro registrations are left alone: they belong to no key.
    ///
    /// - Parameters:
    ///   - server: a server that has proven its key.
    ///   - fingerprint: the fingerprint that the person named.
    /// - Returns: how many registrations belong to the key now, because of this call or an earlier one.
    /// - Throws: NETWORK_ERROR with the cause `otherServerKey` for another fingerprint; FLOW_ERROR if an identity would
    ///   have two registrations at one server.
    @discardableResult
    package mutating func trust(_ server: ProvenServer, fingerprint: KeyFingerprint) throws(MPinError) -> Int {
        guard server.fingerprint == fingerprint else { throw MPinClient.otherServerKey }
        return try changeAll { user in
            guard user.record.backend == server.backend.address, let device = user.device else { return false }
            if device.serverKey != server.keyText { device.trust(server.keyText, .fingerprint) }
            return true
        }
    }

    /// Moves all registrations that belong to a server's key to its address. Nothing is enrolled again.
    ///
    /// - Parameter server: a server that has proven its key.
    /// - Returns: how many registrations with this key there are; all of them have the address now.
    /// - Throws: FLOW_ERROR if an identity would have two registrations at one address.
    @discardableResult package mutating func move(to server: ProvenServer) throws(MPinError) -> Int {
        try changeAll { user in
            guard user.device?.serverKey == server.keyText else { return false }
            user.record.backend = server.backend.address
            return true
        }
    }

    /// - Parameter change: changes a registration; returns whether it is concerned.
    private mutating func changeAll(_ change: (User) -> Bool) throws(MPinError) -> Int {
        var changed: [User] = []
        try withStoreLock { client throws(MPinError) in
            let stored = try client.reread()
            changed = stored.filter(change)
            guard !changed.isEmpty else { return }
            for (index, user) in stored.enumerated() {
                for other in stored[(index + 1)...] where user.isRegistration(like: other) {
                    throw MPinError(
                        .flowError,
                        "This identity would have two registrations at one server: delete one of them first.")
                }
            }
            try client.stored { store throws(StoreError) in try RecordFile.rewrite(changed, in: store) }
            for user in client.known.users {
                for stored in changed where stored.isSameRegistration(as: user) { _ = user.take(stored) }
            }
        }
        return changed.count
    }
}
