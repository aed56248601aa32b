// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinServerRoles
package import MPinServerStorage

extension Administrator {
    /// Makes a secret for a host and returns it. It is never shown again, and the host's earlier secret becomes
    /// invalid.
    package func addHost(_ name: String) throws(ServerError) -> String {
        guard UserName.isValid(name) else {
            throw ServerError(.badInput, "the host name is not valid", hint: Self.nameRule)
        }
        do {
            let secret = try Hosts.generate()
            let hash = try Hosts.hash(secret, key: hostKey) ?? []
            let now = clock.now
            try store.setHost(
                name, secret: hash, now: now.seconds, event: AuditEvent(.hostAdded(name), at: now, actor: actor))
            return secret
        } catch { throw error as? ServerError ?? ServerError(.internalFault, "cannot make a secret") }
    }

    /// The hosts, and when each of them got its secret.
    package func hosts() throws(ServerError) -> [(name: String, created: Timestamp)] {
        try store.hosts().map { ($0.name, Timestamp(seconds: $0.created)) }
    }

    /// Removes a host, which makes its secret invalid.
    package func removeHost(_ name: String) throws(ServerError) {
        let wasThere = try store.removeHost(name, event: AuditEvent(.hostRemoved(name), at: clock.now, actor: actor))
        guard wasThere else { throw ServerError(.noSuchUser, "no such host: \(name)", next: "host list") }
    }
}
