internal import MPinCrypto

/// A started authentication: permits are at hand, and the account's other logins wait.
///
/// Several ``MPin/finishAuthentication(_:pin:)`` may follow one start, as after a mistyped PIN.
public struct PendingAuthentication: ~Copyable {
    /// Who is logging in.
    public let user: User

    let server: Server
    let day: PermitDay?
    /// The whole permit of that day, where the server uses permits.
    let permit: SecretBytes?
    let cache: CachedLogin
    /// Held until the end, across processes.
    let lock: Descriptor

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
