// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
package import MPinWire

/// An identity at a server, and the state of its registration on this machine.
///
/// Make one with ``MPinClient/makeUser(_:deviceName:)``, or find one in ``MPinClient/users``. It is not `Sendable`:
/// calls of the client change it without a lock. For async programs, the product `MPinAsync` has an actor that keeps
/// client and users together, and passes on values. It is a class because the
/// Milagro SDK's user is one object that several places share: calls change its state, and every holder of a reference
/// sees that.
///
/// Milagro: `IUser`
public final class User {
    /// The stored data, except state and token.
    var record: StoredUser

    /// The state of the registration; calls of ``MPinClient`` change it.
    ///
    /// Milagro: `getState`
    public internal(set) var state: UserState

    /// How many wrong PINs the server still allows, as it last reported; `nil` if it did not. It may report this after
    /// a right PIN too, if there were many wrong PINs in the last weeks.
    public internal(set) var attemptsLeft: Int?

    /// How many wrong PINs the server counted for this registration before its last login from here and after the login
    /// before that; `nil` if the server did not report it.
    ///
    /// Show it to the user who has just logged in: if there were more than they mistyped, an attacker tried the rest.
    public internal(set) var wrongSinceLastLogin: Int?

    /// REVOKED or CLIENT_SECRET_EXPIRED if the last contact ended with that status.
    public internal(set) var lastRefusal: MPinStatus?

    /// The reason why an administrator revoked the registration, if ``lastRefusal`` is REVOKED and the server sent one;
    /// safe to show, at most 200 bytes.
    package internal(set) var refusalReasonText: ByteText?

    /// Whether the server that began this registration admits none without a code; known only to the process that
    /// began it.
    package internal(set) var isAdmittedByCodesOnly = false

    /// The time of ``lastRefusal``, in seconds since 1970 by this machine's clock.
    package internal(set) var refusalTime: Int?

    /// Whether the server no longer knows the started registration, so that only a restart helps.
    var hasLapsed = false

    var pinScheme = PINScheme.decimal
    var token: SecretBytes?
    /// The registration's protocol, and its keys; nil before there is a registration.
    var registration: RegistrationRecord?
    var pending: PendingRegistration?

    /// Whether the first authority has handed out its share in this process, so that confirming again asks only the
    /// second one.
    package var holdsFirstShare: Bool { pending != nil }

    /// Why the key that this object made for its registration is not in the TPM, although it should be if possible.
    public internal(set) var tpmFault: MPinError?

    /// Whether this object's registration was finished and has not logged in since. If its server then answers that the
    /// PIN just chosen is wrong (INCORRECT_PIN, and `pinChecked` is yes), one of the shares was wrong: the second
    /// authority's answer is not signed. Only for a registration with a device key is that answer certain.
    package internal(set) var awaitsFirstLogin = false

    /// Whether the server of a Milagro registration offered device keys when its settings were last read. A recovery
    /// then makes a registration with a key.
    package internal(set) var offersDeviceKey = false

    /// The request that ends the session signed in by this user's last access number.
    var logout: LogoutCall?

    init(_ record: StoredUser, state: UserState) {
        self.record = record
        self.state = state
    }

    /// ``identity`` as bytes.
    package var identityText: ByteText { record.identity }

    /// ``backend`` as bytes.
    package var backendText: ByteText { record.backend }

    /// Clears the object, so that it contains nothing of a registration.
    func forget() {
        state = .invalid
        token = nil
        registration = nil
        record.regOTT = nil
        pending = nil
        logout = nil
    }

    /// Adopts the stored record of the same identity at the same server.
    ///
    /// - Returns: whether it is the registration that this was, with the same token.
    @inline(never)
    func take(_ stored: User) -> Bool {
        let isSame = isSameRegistration(as: stored)
        state = stored.state
        record.notes = stored.record.notes
        record.backend = stored.record.backend
        record.rpsPrefix = stored.record.rpsPrefix
        registration = stored.registration
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

    /// Whether both are the same registration with the same token.
    func isSameRegistration(as other: User) -> Bool {
        guard record.mpinID == other.record.mpinID, record.regOTT == other.record.regOTT else { return false }
        let isSame = withToken { mine in other.withToken { mine.equals($0) } ?? false }
        return isSame ?? (other.token == nil)
    }

    /// Whether this is a registration of the same identity at the same server as another: the server with the same key
    /// if both have device keys, otherwise the one with the same address.
    func isRegistration(like other: User) -> Bool {
        guard case .device(let mine)? = registration, case .device(let others)? = other.registration else {
            return isRegistration(of: other.record.identity, at: other.record.backend)
        }
        return record.identity == other.record.identity && mine.serverKey == others.serverKey
    }

    func isRegistration(of identity: ByteText, at backend: ByteText) -> Bool {
        record.identity == identity && record.backend == backend
    }

    /// Returns a copy in memory without a token: for a PIN or state that has to prove itself.
    func twin() -> User {
        let twin = User(
            StoredUser(
                identity: record.identity, deviceName: record.deviceName, backend: record.backend,
                mpinID: record.mpinID), state: .registered)
        twin.record.rpsPrefix = record.rpsPrefix
        twin.record.notes = record.notes
        twin.registration = registration
        return twin
    }
}

// The stored data of a user, as applications read it.
extension User {
    /// The identity as the server knows it, byte for byte.
    ///
    /// Milagro: `getIdentity`
    public var identity: String { record.identity.string }

    /// The name of this machine in the server's lists, or an empty text.
    public var deviceName: String { record.deviceName.string }

    /// The server's address, empty until the registration has started.
    public var backend: String { record.backend.string }

    /// The number of digits of the PIN; `nil` before there is a PIN, and for secrets that are not PINs.
    public var pinLength: Int? { record.pinLength }

    /// The reason why an administrator revoked the registration, if ``lastRefusal`` is REVOKED and the server sent one;
    /// without control characters, at most 200 bytes.
    public var refusalReason: String? { refusalReasonText?.string }

    /// The M-Pin ID as the server wrote it, hexadecimal; empty until there is one. Servers, and the programs that verify
    /// users for them, name registrations by it. It is not secret.
    public var mpinID: String { record.mpinID?.string ?? "" }
}

#if !hasFeature(Embedded)
extension User: CustomStringConvertible {
    /// The identity, its server and its state; nothing secret.
    public var description: String { User.description(identity, at: backend, state) }

    package static func description(_ identity: String, at backend: String, _ state: UserState) -> String {
        let place = backend.isEmpty ? "" : " at " + VisibleText.sanitized(backend, limit: 256)
        return VisibleText.sanitized(identity, limit: 256) + place + " (\(state.name))"
    }
}
#endif

extension User {
    @inline(never)
    func requireMPinID() throws(MPinError) -> HexText {
        guard let mpinID = record.mpinID else {
            throw MPinError(.storageError, "This user's record has no M-Pin ID.")
        }
        return mpinID
    }

    /// The token of an unfinished registration.
    var regOTT: HexText? { record.regOTT.flatMap { HexText(text: $0.bytes.span) } }
}

extension User {
    func withToken<R: ~Copyable, E: Error>(_ body: (borrowing SecretBytes) throws(E) -> R) throws(E) -> R? {
        switch token {
        case .some(let token): try body(token)
        case .none: nil
        }
    }

    /// The factor of a PIN. Leading zeros do not count in it, so a PIN with another number of digits than the
    /// registration's gets one that no PIN has.
    private func factor(of pin: borrowing PIN) throws(CryptoError) -> PINFactor {
        if let length = pinLength, pin.count != length {
            return try PINFactor(ofNoPINBeside: pin.bytes)
        }
        return try PINFactor(pin: pin.bytes, scheme: pinScheme)
    }

    /// Draws x and computes U, and UT for a login with a time permit, from the token and the PIN.
    @inline(never)
    func session(pin: borrowing PIN, _ permit: borrowing TimePermit? = nil) throws(MPinError) -> ClientSession {
        let mpinID = try requireMPinID()
        let session: ClientSession?
        do throws(CryptoError) {
            let factor = try factor(of: pin)
            let identity = try Identity(mpinID: mpinID.bytes)
            session = try withToken { token throws(CryptoError) in
                switch permit {
                case .none: try ClientSession(identity: identity, token: token, factor: factor)
                case .some(let permit):
                    try ClientSession(
                        identity: identity, token: token, factor: factor, permit: permit.point, day: permit.day)
                }
            }
        } catch { throw MPinError(error) }
        guard let session else { throw MPinError(.cryptoError, "This user's record has no token.") }
        return session
    }
}

/// The protocol of a registration, and what that protocol needs. The record decides it, once, when it is read.
enum RegistrationRecord {
    /// The device signs each request, and only answers that the registration's server has signed count.
    case device(DeviceRegistration)
    /// The protocol of 2016: a client or a server of that time made the registration.
    case milagro
}

extension User {
    /// The error of a call that does not match the user's state.
    var wrongState: MPinError {
        @inline(never) get {
            switch state {
            case .invalid: MPinError(.flowError, "This user is new: start a registration.")
            case .startedRegistration:
                MPinError(.flowError, "This user's registration is not verified yet: confirm or restart it.")
            case .activated: MPinError(.flowError, "This user is verified: confirm the registration and set the PIN.")
            case .registered: MPinError(.flowError, "This user is already registered: start an authentication.")
            case .blocked:
                MPinError(
                    .flowError, "This user is blocked after too many wrong PINs: register again, or lift the block.")
            }
        }
    }
}
