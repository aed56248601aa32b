// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

/// A started login, with the time permit if it needs one.
///
/// One start may be followed by several ``MPinClient/finishAuthentication(_:pin:)`` calls, for example after a mistyped
/// PIN. It holds no lock: while it is kept, this client and other processes can go on.
public struct PendingAuthentication: ~Copyable {
    /// How the login proves the PIN. The registration's record decides it.
    enum Method {
        case device(DeviceLogin)
        case milagro(MilagroLogin)
    }

    /// The stored values. Behind a reference, because they are long and passed through all steps of a login.
    private final class Storage {
        let user: User
        let method: Method

        init(_ user: User, _ method: Method) { (self.user, self.method) = (user, method) }
    }

    private let storage: Storage

    init(_ user: User, _ method: Method) { storage = Storage(user, method) }

    /// The user who is logging in.
    public var user: User { storage.user }

    var method: Method { storage.method }

    /// Changes when a login with a permit started, in seconds since 1970 by this machine's clock. Only tests need this:
    /// they cannot wait for another day.
    package func setStart(_ seconds: Int64) { if case .milagro(let login) = method { login.startedAt = seconds } }

    /// The data of the registration's last contact.
    var cache: CachedLogin {
        switch method {
        case .device(let login): login.cache
        case .milagro(let login): login.cache
        }
    }
}
