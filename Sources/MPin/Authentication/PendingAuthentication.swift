// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import MPinCrypto
internal import MPinWire

/// A started login, with the time permit if it needs one.
///
/// One start may be followed by several ``MPinClient/finishAuthentication(_:pin:)`` calls, for example after a mistyped
/// PIN. It holds no lock: while it is kept, this client and other processes can go on.
public struct PendingAuthentication: ~Copyable {
    /// The stored values. Behind a reference, because they are long and passed through all steps of a login.
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

    /// The user who is logging in.
    public var user: User { storage.user }

    var server: Server { storage.server }

    /// Whether the device signs this login, which then is a single request.
    var isDirect: Bool { storage.isDirect }

    /// The day of the permit, if the login needs one.
    var day: PermitDay? { storage.day }

    /// Stores the whole permit of a day.
    ///
    /// - Returns: whether it differs from the permit stored before.
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

    /// The time at which the login started, in seconds since 1970 by this machine's clock.
    package var startedAt: Int64 {
        get { storage.startedAt }
        nonmutating set { storage.startedAt = newValue }
    }

    /// Whether the permits are of a day that servers no longer accept. Servers accept them until the first hour of the
    /// next day (UTC) is over.
    ///
    /// A login with them would count as a wrong PIN. This machine's clock is compared with itself, so it need not agree
    /// with the server's.
    var hasLapsed: Bool {
        let day: Int64 = 86_400
        return storage.day != nil && (mpin_wall_seconds() - 3600) / day > startedAt / day
    }

    /// Lends the whole permit of the day, if there is one.
    borrowing func withPermit<R: ~Copyable>(
        _ body: (borrowing SecretBytes) throws(CryptoError) -> R
    ) throws(CryptoError) -> R? {
        switch storage.permit {
        case .some(let permit): try body(permit)
        case .none: nil
        }
    }

    /// Draws x and computes U and UT from the token, the PIN and the permit.
    ///
    /// - Parameter isDirect: whether the device signs this login, which then has no permit.
    borrowing func session(
        as user: User, pin: borrowing PIN, isDirect: Bool = false
    ) throws(MPinError) -> ClientSession {
        let missing = MPinError(.cryptoError, "This user's record has no token.")
        guard let mpinID = user.mpinIDBytes else { throw missing }
        let session: ClientSession?
        do throws(CryptoError) {
            let factor = try PINFactor(pin: pin.bytes, scheme: user.pinScheme)
            let identity = try Identity(mpinID: mpinID)
            session = try user.withToken { token throws(CryptoError) in
                guard !isDirect, let day else {
                    return try ClientSession(identity: identity, token: token, factor: factor)
                }
                let withPermit = try withPermit { permit throws(CryptoError) in
                    try ClientSession(identity: identity, token: token, factor: factor, permit: permit, day: day)
                }
                guard let withPermit else { throw .invalidPoint }
                return withPermit
            }
        } catch { throw MPinError(error) }
        guard let session else { throw missing }
        return session
    }
}
