internal import CMPinSystem
internal import MPinCrypto
internal import MPinWire

/// A started authentication: the time permit is at hand, where the login needs one.
///
/// Several ``MPinClient/finishAuthentication(_:pin:)`` may follow one start, as after a mistyped PIN. It holds no lock:
/// while it is kept, everything else goes on, in this client and in other processes.
public struct PendingAuthentication: ~Copyable {
    /// Behind a reference, because it is long and handed through all steps of a login.
    private final class Storage {
        let user: User
        let server: Server
        let cache: CachedLogin
        let isDirect: Bool
        var day: PermitDay?
        var permit: SecretBytes?
        var startedAt: Int64 = mpin_wall_seconds()

        init(_ user: User, _ server: Server, _ cache: CachedLogin, _ isDirect: Bool) {
            (self.user, self.server, self.cache, self.isDirect) = (user, server, cache, isDirect)
        }
    }

    private let storage: Storage

    init(user: User, server: Server, cache: CachedLogin, isDirect: Bool) {
        storage = Storage(user, server, cache, isDirect)
    }

    /// Who is logging in.
    public var user: User { storage.user }

    var server: Server { storage.server }

    /// Whether the device signs this login, which is one request then.
    var isDirect: Bool { storage.isDirect }

    /// The day of the permit, where the login needs one.
    var day: PermitDay? { storage.day }

    /// Keeps the whole permit of a day.
    ///
    /// - Returns: whether it differs from the one before.
    func keep(_ permit: consuming SecretBytes, of day: PermitDay) -> Bool {
        let isSame =
            switch storage.permit {
            case .some(let former): former.equals(permit)
            case .none: false
            }
        storage.permit = consume permit
        storage.day = day
        return !isSame
    }

    var cache: CachedLogin { storage.cache }

    /// The seconds since 1970 at which it started, by this machine's clock.
    package var startedAt: Int64 {
        get { storage.startedAt }
        nonmutating set { storage.startedAt = newValue }
    }

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
