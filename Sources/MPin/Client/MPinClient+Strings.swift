internal import MPinWire

// The calls that take texts, as applications give them.
extension MPinClient {
    /// The version of this library.
    ///
    /// Milagro: `GetVersion`
    public static var version: String { "0.1.0" }

    /// Chooses the server and reads its settings. When that fails, everything stays as it was.
    ///
    /// - Parameters:
    ///   - address: `https://HOST[:PORT][/PATH]` or `unix:/PATH`.
    ///   - rpsPrefix: the path below which the server's protocol lies, where it is not the usual one.
    /// - Throws: FLOW_ERROR for an address of another form; NETWORK_ERROR and the other statuses of a failed request.
    ///
    /// Milagro: `SetBackend`
    public mutating func setBackend(_ address: String, rpsPrefix: String = "rps") throws(MPinError) {
        try setBackend(ByteText(address), rpsPrefix: ByteText(rpsPrefix))
    }

    /// Asks a server for its settings and keeps nothing.
    ///
    /// - Parameters:
    ///   - address: `https://HOST[:PORT][/PATH]` or `unix:/PATH`.
    ///   - rpsPrefix: the path of the server's protocol, if it is not the usual one.
    /// - Throws: as ``setBackend(_:rpsPrefix:)``.
    ///
    /// Milagro: `TestBackend`
    public func testBackend(_ address: String, rpsPrefix: String = "rps") throws(MPinError) {
        try testBackend(ByteText(address), rpsPrefix: ByteText(rpsPrefix))
    }

    /// Asks a server for its settings, without a store, and keeps nothing.
    package static func test(_ address: String, options: TransportOptions) throws(MPinError) {
        try test(ByteText(address), options: options)
    }

    /// Chooses the server without a request: a login may find the settings among what the last one left.
    package mutating func selectBackend(_ address: String) throws(MPinError) {
        try selectBackend(ByteText(address))
    }

    /// A member of the server's settings as text, empty when it is missing or an object or array.
    ///
    /// - Parameter name: the name of the member.
    ///
    /// Milagro: `GetClientParam`
    public func getClientParam(_ name: String) -> String {
        settings?.parameter(name) ?? ""
    }

    /// Asks a service for its server and name, before a server is chosen.
    ///
    /// - Parameter url: `https://HOST[:PORT][/PATH]` or `unix:/PATH`; a `#` and what follows it, as in scanned
    ///   addresses, is left out.
    /// - Throws: FLOW_ERROR for an address of another form; RESPONSE_PARSE_ERROR when the answer lacks a member or the
    ///   service is not of the kind that is known; else as for any request.
    ///
    /// Milagro: `GetServiceDetails`
    public func getServiceDetails(_ url: String) throws(MPinError) -> ServiceDetails {
        try getServiceDetails(ByteText(url))
    }

    /// Asks who waits behind an access number or scanned code.
    ///
    /// - Parameter accessCode: the access number, or the code behind the `#` of a scanned address.
    /// - Returns: what the server says; empty texts from a server that has no such thing.
    /// - Throws: FLOW_ERROR before a server has been chosen; else as for any request.
    ///
    /// Milagro: `GetSessionDetails`
    public mutating func getSessionDetails(_ accessCode: String) throws(MPinError) -> SessionDetails {
        try getSessionDetails(ByteText(accessCode))
    }

    /// Has every further request carry the name that a platform gave this application.
    ///
    /// - Parameter clientID: printable ASCII.
    /// - Throws: FLOW_ERROR for what cannot stand in a header.
    ///
    /// Milagro: `SetClientId`
    public mutating func setClientID(_ clientID: String) throws(MPinError) {
        try setClientID(ByteText(clientID))
    }

    /// A new identity in state INVALID; nothing is stored and nothing is sent.
    ///
    /// - Parameters:
    ///   - identity: who it is to be at the server, usually a mail address.
    ///   - deviceName: how the server's lists call this machine.
    ///
    /// Milagro: `MakeNewUser`
    public func makeUser(_ identity: String, deviceName: String = "") -> User {
        makeUser(ByteText(identity), deviceName: ByteText(deviceName))
    }

    /// The identities at a server, whether it is in use or not.
    ///
    /// - Parameter backend: the server's address.
    ///
    /// Milagro: `ListUsers(backend)`
    public func users(at backend: String) -> [User] {
        users(at: ByteText(backend))
    }

    /// The servers at which the account has identities, each once.
    ///
    /// Milagro: `ListBackends`
    public var backends: [String] { backendTexts.map { $0.string } }

    /// The user of that identity at the server in use.
    ///
    /// - Parameter identity: the identity, byte for byte.
    ///
    /// Milagro: `getIUserById`
    public func user(identity: String) -> User? {
        user(identity: ByteText(identity))
    }

    /// Starts the registration of a new identity.
    ///
    /// The server issues an M-Pin ID and either has the identity verified (STARTED_REGISTRATION) or takes it as
    /// verified (ACTIVATED), for example by an invitation code.
    /// - Parameters:
    ///   - user: one in state INVALID whose identity is not registered at this server yet.
    ///   - activateCode: an invitation.
    ///   - userData: text for the application behind the server.
    /// - Throws: IDENTITY_NOT_AUTHORIZED when the server refuses; FLOW_ERROR in another state; the user stays INVALID.
    ///
    /// Milagro: `StartRegistration`
    public mutating func startRegistration(
        _ user: User, activateCode: String? = nil, userData: String? = nil
    ) throws(MPinError) {
        try startRegistration(
            user, activateCode: activateCode.map { ByteText($0) }, userData: userData.map { ByteText($0) })
    }

    /// Starts the verification of an identity once more, with the same M-Pin ID where the server still knows it.
    ///
    /// A server gives each share away once, and shares are kept in memory only. If a confirmation has fetched one of them, or
    /// the program ended before the PIN was set, a restart makes a server with device keys issue another M-Pin ID. The
    /// identity stays verified, and the first M-Pin ID is revoked.
    /// - Parameters:
    ///   - user: one in state STARTED_REGISTRATION that has not been confirmed, or ACTIVATED when
    ///     ``confirmRegistration(_:pushNotificationIdentifier:)`` has found that the server no longer knows the
    ///     registration.
    ///   - activateCode: a code that came since: an invitation, or that of a mail.
    ///   - userData: text for the application behind the server.
    /// - Throws: IDENTITY_NOT_AUTHORIZED when the server refuses; nothing changes then. FLOW_ERROR in another state, when
    ///   both shares have been fetched, so that only ``finishRegistration(_:pin:)`` is left, and when another process has
    ///   gone on with the registration: the user then shows what is stored now.
    ///
    /// Milagro: `RestartRegistration`
    public mutating func restartRegistration(
        _ user: User, activateCode: String? = nil, userData: String? = nil
    ) throws(MPinError) {
        try restartRegistration(
            user, activateCode: activateCode.map { ByteText($0) }, userData: userData.map { ByteText($0) })
    }

    /// Fetches both shares of the client secret, if the identity has been verified.
    ///
    /// They stay in memory for ``finishRegistration(_:pin:)``. When the second authority fails, the first share is kept
    /// and a further call asks only for the second, which works for about a minute.
    /// - Parameters:
    ///   - user: one in state STARTED_REGISTRATION or ACTIVATED; its state does not change.
    ///   - pushNotificationIdentifier: where the server may send push messages for this user.
    /// - Throws: IDENTITY_NOT_VERIFIED while the identity is not verified, or when the registration has lapsed: then
    ///   only ``restartRegistration(_:activateCode:userData:)`` leads on, which works in state ACTIVATED as well from
    ///   then on. FLOW_ERROR when another process has gone on with the registration.
    ///
    /// Milagro: `ConfirmRegistration`
    public mutating func confirmRegistration(
        _ user: User, pushNotificationIdentifier: String? = nil
    ) throws(MPinError) {
        try confirmRegistration(
            user, pushNotificationIdentifier: pushNotificationIdentifier.map { ByteText($0) })
    }

    /// Starts a login: fetches the time permits of the server's day, unless the device signs the login.
    ///
    /// The first permit share is asked for at each login, for there the server revokes; the second is kept for its day. A
    /// login that the device signs needs no permit, and is usually started without a request. Only if the last contact ended
    /// with REVOKED, this call asks the server whether the user is still revoked. Otherwise a revocation is reported by the
    /// call that finishes the login, after the PIN was typed.
    /// - Parameters:
    ///   - user: one in state REGISTERED.
    ///   - accessCode: the code of a waiting session that this login is for, if any.
    /// - Throws: REVOKED when the server refuses the permit, or says that the user is still revoked. FLOW_ERROR in another
    ///   state.
    ///
    /// Milagro: `StartAuthentication`
    public mutating func startAuthentication(
        _ user: User, accessCode: String? = nil
    ) throws(MPinError) -> PendingAuthentication {
        let pending = try startAuthentication(user, accessCode: accessCode.map { ByteText($0) })
        #if !hasFeature(Embedded)
        try requireNotRevoked(pending)
        #endif
        return pending
    }

    /// Checks an access number without sending anything: its length and its check digit, where the server uses them.
    ///
    /// The code of a scanned address, which has no check digit, passes. Before a server's settings are known, every number
    /// passes that is not empty.
    ///
    /// - Parameter accessNumber: what the user typed.
    /// - Throws: INCORRECT_ACCESS_NUMBER.
    ///
    /// Milagro: `CheckAccessNumber`
    public func checkAccessNumber(_ accessNumber: String) throws(MPinError) {
        try checkAccessNumber(ByteText(accessNumber))
    }

    /// Logs in for a session elsewhere, such as a browser's, that shows an access number or a code to scan.
    ///
    /// Returns when that session has been signed in; the server may wait up to ten seconds for it, which come on top of
    /// ``TransportOptions/timeoutMilliseconds``. Whether it can be ended from here says ``canLogout(_:)`` afterwards.
    /// The check digit is not checked here; see ``checkAccessNumber(_:)``.
    /// - Parameters:
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    ///   - accessNumber: the number, or the code behind the `#` of a scanned address.
    /// - Throws: INCORRECT_ACCESS_NUMBER for an empty number, with nothing sent, and when the server does not know it (any
    ///   more); REQUEST_EXPIRED when the other
    ///   side did not finish in time, which it may still do; the rest as ``finishAuthentication(_:pin:)``.
    ///
    /// Milagro: `FinishAuthenticationAN`
    public mutating func finishAuthenticationAN(
        _ pending: borrowing PendingAuthentication, pin: borrowing PIN, accessNumber: String
    ) throws(MPinError) {
        try finishAuthenticationAN(pending, pin: pin, accessNumber: ByteText(accessNumber))
    }

    /// Logs in at a platform that gives the application a code, which its back end redeems.
    ///
    /// - Parameters:
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    /// - Returns: the authorization code.
    /// - Throws: as ``finishAuthentication(_:pin:)``, and RESPONSE_PARSE_ERROR when the answer has no code.
    ///
    /// Milagro: `FinishAuthenticationMFA`
    public mutating func finishAuthenticationMFA(
        _ pending: borrowing PendingAuthentication, pin: borrowing PIN
    ) throws(MPinError) -> String {
        try authorizationCode(pending, pin: pin).string
    }
}

#if !hasFeature(Embedded)
extension MPinClient {
    /// Puts a new registration in the place of another, and has those revoked that were given up on the way.
    ///
    /// - Parameter abandoned: their M-Pin IDs, in hexadecimal.
    package mutating func recover(_ user: User, pin: borrowing PIN, abandoned: [String]) throws(MPinError) -> Bool {
        try recover(user, pin: pin, abandoned: MPinClient.mpinIDs(abandoned))
    }

    /// Has the server revoke registrations that the one in use has replaced, by their M-Pin IDs in hexadecimal.
    package mutating func revoke(_ mpinIDs: [String], inFavorOf user: User, pin: borrowing PIN) -> Bool {
        revoke(MPinClient.mpinIDs(mpinIDs), inFavorOf: user, pin: pin)
    }

    /// Logs in and has another registration of the same identity revoked, by its M-Pin ID in hexadecimal.
    package mutating func revoke(
        registration mpinID: String, by pending: borrowing PendingAuthentication, pin: borrowing PIN
    ) throws(MPinError) {
        guard let mpinID = MPinClient.mpinIDs([mpinID]).first else {
            throw MPinError(.flowError, "This registration has no M-Pin ID.")
        }
        try revoke(registration: mpinID, by: pending, pin: pin)
    }

    private static func mpinIDs(_ texts: [String]) -> [HexText] {
        texts.compactMap { HexText(text: ByteText($0).bytes.span) }
    }
}
#endif
