internal import MPinWire

extension MPinClient {
    /// The identities at the server in use.
    public var users: [User] {
        guard let backend else { return [] }
        return allUsers.filter { $0.record.backend == backend.address }
    }

    /// The identities at a server, whether it is in use or not.
    public func users(at backend: String) -> [User] {
        guard let backend = Backend(backend) else { return [] }
        return allUsers.filter { $0.record.backend == backend.address }
    }

    /// The servers at which the account has identities, each once.
    public var backends: [String] {
        var backends: [String] = []
        for user in allUsers where !backends.contains(where: { $0.hasSameBytes(as: user.backend) }) {
            backends.append(user.backend)
        }
        return backends
    }

    /// The user of that identity at the server in use.
    public func user(identity: String) -> User? {
        users.first { $0.identity.hasSameBytes(as: identity) }
    }
}
