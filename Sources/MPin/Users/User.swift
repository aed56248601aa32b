internal import MPinCrypto

/// Somebody's identity at a server, and where its registration stands on this machine.
///
/// Made by ``MPin/makeUser(_:deviceName:)``. A class because the Milagro SDK's user is one thing that several places look
/// at: calls change its state, and whoever holds it sees that.
public final class User {
    /// The identity as the server knows it, byte for byte as given.
    public let identity: String

    /// The name under which the server lists this machine, or an empty text.
    public let deviceName: String

    /// The server's address, empty until the registration has started.
    public internal(set) var backend: String

    public internal(set) var state: UserState

    /// The number of digits of the PIN, or `nil` before there is one and for secrets that are no PIN.
    public internal(set) var pinLength: Int?

    /// What the server said last about attempts left; `nil` when it never did or the last login went well.
    public internal(set) var attemptsLeft: Int?

    /// REVOKED or CLIENT_SECRET_EXPIRED when the last contact ended so.
    public internal(set) var lastRefusal: MPinStatus?

    /// The stable name of the server, learnt at registration; `nil` for servers that have none.
    package internal(set) var serverID: String?

    /// The path below which the server's protocol lies, where it is not the usual one.
    var rpsPrefix: String?

    /// The M-Pin ID as the server wrote it, hexadecimal; empty before there is one.
    package internal(set) var mpinID: String

    /// The secret that shows the server who started the registration; gone once registered.
    var regOTT: String?

    var pinScheme: PINScheme
    var token: SecretBytes?
    var pending: PendingRegistration?

    /// How the session that this user's last access number signed in can be ended from here.
    var logout: LogoutCall?

    init(identity: String, deviceName: String, backend: String = "", state: UserState = .invalid, mpinID: String = "") {
        self.identity = identity
        self.deviceName = deviceName
        self.backend = backend
        self.state = state
        self.mpinID = mpinID
        pinScheme = .decimal
    }

    /// Lends the token, where there is one.
    func withToken<R: ~Copyable, E: Error>(_ body: (borrowing SecretBytes) throws(E) -> R) throws(E) -> R? {
        switch token {
        case .some(let token): try body(token)
        case .none: nil
        }
    }

    /// Ends the object's life: nothing of a registration is left in it.
    func forget() {
        state = .invalid
        token = nil
        regOTT = nil
        pending = nil
        logout = nil
    }

    /// Whether this is a registration of that identity at that server.
    func isRegistration(of identity: String, at backend: String) -> Bool {
        self.identity.hasSameBytes(as: identity) && self.backend.hasSameBytes(as: backend)
    }
}
