// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

extension MPinClient {
    /// The identities at the server in use, as they are stored now; see ``allUsers``.
    ///
    /// Milagro: `ListUsers`
    public var users: [User] {
        guard let backend else { return [] }
        return allUsers.filter { $0.record.backend == backend.address }
    }

    /// Returns the identities at a server, whether it is in use or not.
    ///
    /// - Parameter backend: the server's address.
    ///
    /// Milagro: `ListUsers(backend)`
    public func users(at backend: String) -> [User] {
        guard let backend = Backend(ByteText(backend)) else { return [] }
        return allUsers.filter { $0.record.backend == backend.address }
    }

    /// The servers at which the account has identities, without duplicates.
    ///
    /// Milagro: `ListBackends`
    public var backends: [String] {
        var backends: [ByteText] = []
        for user in allUsers where !backends.contains(user.record.backend) { backends.append(user.record.backend) }
        return backends.map { $0.string }
    }

    /// Returns the user of that identity at the server in use.
    ///
    /// - Parameter identity: the identity, byte for byte.
    ///
    /// Milagro: `getIUserById`
    public func user(identity: String) -> User? {
        let identity = ByteText(identity)
        return users.first { $0.record.identity == identity }
    }

    /// Whether the account's file has room for another registration, or for the recovery of one.
    ///
    /// It is checked before a server is asked: a registration that cannot be stored would use up its code.
    package func hasRoom(forRecovery: Bool = false) throws(MPinError) -> Bool {
        guard forRecovery || allUsers.count + recordsSetAside < 8 else { return false }
        // A new M-Pin ID and the one that it replaces in hexadecimal digits, and the rest of a registration.
        let growth = 4 * MPinIDRecord.longest + 6_000
        do throws(StoreError) {
            return try store.readRecords().withBytes { $0.count + growth <= JSONLimits.size }
        } catch .notEnrolled { return true } catch { throw MPinError(error) }
    }
}
