// SPDX-License-Identifier: Apache-2.0
package import MPinWire

extension MPinClient {
    /// The identities at the server in use.
    ///
    /// Milagro: `ListUsers`
    public var users: [User] {
        guard let backend else { return [] }
        return allUsers.filter { $0.record.backend == backend.address }
    }

    /// Returns the identities at a server, whether it is in use or not.
    package func users(at backend: ByteText) -> [User] {
        guard let backend = Backend(backend) else { return [] }
        return allUsers.filter { $0.record.backend == backend.address }
    }

    /// The servers at which the account has identities, without duplicates.
    package var backendTexts: [ByteText] {
        var backends: [ByteText] = []
        for user in allUsers where !backends.contains(user.record.backend) { backends.append(user.record.backend) }
        return backends
    }

    /// Returns the user of that identity at the server in use.
    package func user(identity: ByteText) -> User? {
        users.first { $0.record.identity == identity }
    }
}
