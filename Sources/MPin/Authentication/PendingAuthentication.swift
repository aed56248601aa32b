internal import CMPinSystem
internal import MPinCrypto

/// A started authentication: the time permit is at hand.
///
/// Several ``MPin/finishAuthentication(_:pin:)`` may follow one start, as after a mistyped PIN. It holds no lock: while it
/// is kept, everything else goes on, in this client and in other processes.
public struct PendingAuthentication: ~Copyable {
    /// Who is logging in.
    public let user: User

    let server: Server
    let day: PermitDay?
    /// The whole permit of that day, where the server uses permits.
    let permit: SecretBytes?
    let cache: CachedLogin
    /// The seconds since 1970 at which it started, by this machine's clock.
    package var startedAt: Int64 = mpin_wall_seconds()

    /// Whether its permits are of a day that servers take no more, as they do for the first hour of the next one (UTC).
    ///
    /// A login with them would count as a wrong PIN. Compared is this machine's clock with itself, so that it need not
    /// agree with the server's.
    var hasLapsed: Bool {
        let day: Int64 = 86_400
        return permit != nil && (mpin_wall_seconds() - 3600) / day > startedAt / day
    }

    /// Lends the permit, where there is one.
    borrowing func withPermit<R: ~Copyable>(
        _ body: (borrowing SecretBytes) throws(CryptoError) -> R
    ) throws(CryptoError) -> R? {
        switch permit {
        case .some(let permit): try body(permit)
        case .none: nil
        }
    }
}
