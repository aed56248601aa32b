internal import CMPinSystem
internal import MPinCrypto
internal import MPinWire

/// A started authentication: the time permit is at hand.
///
/// Several ``MPinClient/finishAuthentication(_:pin:)`` may follow one start, as after a mistyped PIN. It holds no lock:
/// while it is kept, everything else goes on, in this client and in other processes.
public struct PendingAuthentication: ~Copyable {
    /// Behind a reference, because it is long and handed through all steps of a login.
    private final class Storage {
        let user: User
        let server: Server
        let day: PermitDay?
        let permit: SecretBytes?
        let cache: CachedLogin
        var keepsLastTry = false
        var startedAt: Int64 = mpin_wall_seconds()

        init(_ user: User, _ server: Server, _ day: PermitDay?, _ permit: consuming SecretBytes?, _ cache: CachedLogin)
        {
            (self.user, self.server, self.day, self.cache) = (user, server, day, cache)
            self.permit = permit
        }
    }

    private let storage: Storage

    init(user: User, server: Server, day: PermitDay?, permit: consuming SecretBytes?, cache: CachedLogin) {
        storage = Storage(user, server, day, permit, cache)
    }

    /// Who is logging in.
    public var user: User { storage.user }

    var server: Server { storage.server }

    /// The day of the permit, where the server uses permits.
    var day: PermitDay? { storage.day }

    var cache: CachedLogin { storage.cache }

    /// The seconds since 1970 at which it started, by this machine's clock.
    package var startedAt: Int64 {
        get { storage.startedAt }
        nonmutating set { storage.startedAt = newValue }
    }

    /// Whether the server is asked to judge nothing where a wrong PIN would be the last before a block; see
    /// ``serverKeepsLastTry``.
    package var keepsLastTry: Bool {
        get { storage.keepsLastTry }
        nonmutating set { storage.keepsLastTry = newValue }
    }

    /// Whether the server offers to keep the last try. It then answers with an error that ``MPinError/isLastTryKept``,
    /// and counts nothing.
    package var serverKeepsLastTry: Bool { storage.server.settings.offers("keepLastTry") }

    /// Whether its permits are of a day that servers take no more, as they do for the first hour of the next one (UTC).
    ///
    /// A login with them would count as a wrong PIN. Compared is this machine's clock with itself, so that it need not
    /// agree with the server's.
    var hasLapsed: Bool {
        let day: Int64 = 86_400
        return storage.day != nil && (mpin_wall_seconds() - 3600) / day > startedAt / day
    }

    /// Lends the whole permit of the day, where there is one.
    borrowing func withPermit<R: ~Copyable>(
        _ body: (borrowing SecretBytes) throws(CryptoError) -> R
    ) throws(CryptoError) -> R? {
        switch storage.permit {
        case .some(let permit): try body(permit)
        case .none: nil
        }
    }
}
