internal import MPinCrypto
package import MPinWire

/// An identity at a server, and the state of its registration on this machine.
///
/// Made by ``MPinClient/makeUser(_:deviceName:)``, or found in ``MPinClient/users``. Not `Sendable`: calls of the
/// client change it without a lock. Work on a background task by having client and users live there together, for
/// example in an actor; what goes elsewhere is the values, such as ``identity`` and ``state``. A class because the
/// Milagro SDK's user is one thing that several places look at: calls change its state, and every holder of a reference
/// sees that.
///
/// Milagro: `IUser`
public final class User {
    /// What is stored of it, except its state and its token.
    var record: StoredUser

    /// The state of the registration; calls of ``MPinClient`` change it.
    ///
    /// Milagro: `getState`
    public internal(set) var state: UserState

    /// How many wrong PINs the server still allows, as it said last; `nil` if it did not say. It may say so after a right PIN
    /// too, where many were wrong in the last weeks.
    public internal(set) var attemptsLeft: Int?

    /// How many wrong PINs the server had counted for this registration before its last login from here, since the
    /// login before that; `nil` when the server did not say.
    ///
    /// Worth showing to the user who has just logged in: more than they have mistyped themselves are an attacker's.
    public internal(set) var wrongSinceLastLogin: Int?

    /// REVOKED or CLIENT_SECRET_EXPIRED when the last contact ended so.
    public internal(set) var lastRefusal: MPinStatus?

    /// Why an administrator revoked the registration, where ``lastRefusal`` is REVOKED and the server says so; harmless
    /// to show, 200 bytes at most.
    package internal(set) var refusalReasonText: ByteText?

    /// When ``lastRefusal`` was heard, in seconds since 1970 by this machine's clock.
    package internal(set) var refusalTime: Int?

    /// Whether the server no longer knows the registration that was started, so that only a restart leads on.
    var hasLapsed = false

    var pinScheme = PINScheme.decimal
    var token: SecretBytes?
    /// The device's key; nil for a registration of the old kind.
    var key: RegistrationKey?
    var pending: PendingRegistration?

    #if !hasFeature(Embedded)
    /// Why the key that was made for this registration by this object is not in the TPM, where it was to be if that can be
    /// used.
    package internal(set) var tpmFault: MPinError?
    #endif

    /// How the session that this user's last access number signed in can be ended from here.
    var logout: LogoutCall?

    init(_ record: StoredUser, state: UserState) {
        self.record = record
        self.state = state
    }

    /// ``identity`` as bytes.
    package var identityText: ByteText { record.identity }

    /// ``backend`` as bytes.
    package var backendText: ByteText { record.backend }

    /// Lends the token, where there is one.
    func withToken<R: ~Copyable, E: Error>(_ body: (borrowing SecretBytes) throws(E) -> R) throws(E) -> R? {
        switch token {
        case .some(let token): try body(token)
        case .none: nil
        }
    }

    /// Clears the object: it holds nothing of a registration afterwards.
    func forget() {
        state = .invalid
        token = nil
        key = nil
        record.regOTT = nil
        pending = nil
        logout = nil
    }

    /// Takes over the stored record of the same identity at the same server.
    ///
    /// - Returns: whether it is the registration that this was, with the same token.
    @inline(never)
    func take(_ stored: User) -> Bool {
        let isSame = isSameRegistration(as: stored)
        state = stored.state
        record.notes = stored.record.notes
        key = stored.key
        guard !isSame else { return true }
        record = stored.record
        pinScheme = stored.pinScheme
        token = stored.token.take()
        (pending, hasLapsed) = (nil, false)
        (attemptsLeft, wrongSinceLastLogin) = (nil, nil)
        forgetRefusal()
        return false
    }

    @inline(never)
    func forgetRefusal() {
        (lastRefusal, refusalReasonText, refusalTime) = (nil, nil, nil)
    }

    /// Whether both are one registration with one token. A key may have come to one of them meanwhile.
    func isSameRegistration(as other: User) -> Bool {
        guard record.mpinID == other.record.mpinID, record.regOTT == other.record.regOTT else { return false }
        let isSame = withToken { mine in other.withToken { mine.equals($0) } ?? false }
        return isSame ?? (other.token == nil)
    }

    /// Whether this is a registration of the same identity at the same server as another.
    func isRegistration(like other: User) -> Bool {
        isRegistration(of: other.record.identity, at: other.record.backend)
    }

    /// Whether this is a registration of that identity at that server.
    func isRegistration(of identity: ByteText, at backend: ByteText) -> Bool {
        record.identity == identity && record.backend == backend
    }

    /// The same registration in memory, without a token: for a PIN or state that has to prove itself.
    func twin() -> User {
        let twin = User(
            StoredUser(
                identity: record.identity, deviceName: record.deviceName, backend: record.backend,
                mpinID: record.mpinID), state: .registered)
        twin.record.serverID = record.serverID
        twin.record.rpsPrefix = record.rpsPrefix
        twin.record.notes = record.notes
        twin.key = key
        return twin
    }
}
