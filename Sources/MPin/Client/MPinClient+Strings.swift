// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

// The calls that take texts, as applications pass them.
extension MPinClient {
    /// The version of this library.
    ///
    /// Milagro: `GetVersion`
    public static var version: String { "0.1.0" }

    /// Chooses the server and reads its settings. If that fails, nothing changes.
    ///
    /// - Parameters:
    ///   - address: `https://HOST[:PORT][/PATH]` or `unix:/PATH`.
    ///   - rpsPrefix: the path of the server's protocol, if it is not the usual one.
    /// - Throws: FLOW_ERROR for an address of another form; NETWORK_ERROR and the other statuses of a failed request.
    ///
    /// Milagro: `SetBackend`
    public mutating func setBackend(_ address: String, rpsPrefix: String = "rps") throws(MPinError) {
        try setBackend(ByteText(address), rpsPrefix: ByteText(rpsPrefix))
    }

    /// Reads a server's settings and keeps nothing.
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

    /// Reads a server's settings without a store and keeps nothing.
    package static func test(_ address: String, options: TransportOptions) throws(MPinError) {
        try test(ByteText(address), options: options)
    }

    /// Chooses the server without a request. A login may find the settings in the cache of an earlier login.
    package mutating func selectBackend(_ address: String) throws(MPinError) {
        try selectBackend(ByteText(address))
    }

    /// Returns a member of the server's settings as text; empty if it is missing, or an object or array.
    ///
    /// - Parameter name: the name of the member.
    ///
    /// Milagro: `GetClientParam`
    public func getClientParam(_ name: String) -> String {
        settings?.parameter(name) ?? ""
    }

    /// Asks a service for its server and name, before a server is chosen.
    ///
    /// - Parameter url: `https://HOST[:PORT][/PATH]` or `unix:/PATH`; `#` and the rest, as in scanned addresses, is
    ///   ignored.
    /// - Throws: FLOW_ERROR for an address of another form; RESPONSE_PARSE_ERROR if the answer lacks a member or the
    ///   service is of an unknown kind; otherwise as for any request.
    ///
    /// Milagro: `GetServiceDetails`
    public func getServiceDetails(_ url: String) throws(MPinError) -> ServiceDetails {
        try getServiceDetails(ByteText(url))
    }

    /// Returns who requests the login behind an access number or scanned code.
    ///
    /// - Parameter accessCode: the access number, or the code behind the `#` of a scanned address.
    /// - Returns: the server's answer; empty texts from a server without this feature.
    /// - Throws: FLOW_ERROR before a server is chosen; otherwise as for any request.
    ///
    /// Milagro: `GetSessionDetails`
    public mutating func getSessionDetails(_ accessCode: String) throws(MPinError) -> SessionDetails {
        try getSessionDetails(ByteText(accessCode))
    }

    /// Adds the name that a platform gave this application to every further request.
    ///
    /// - Parameter clientID: printable ASCII.
    /// - Throws: FLOW_ERROR for anything that is not allowed in a header.
    ///
    /// Milagro: `SetClientId`
    public mutating func setClientID(_ clientID: String) throws(MPinError) {
        try setClientID(ByteText(clientID))
    }

    /// Makes a new identity in state INVALID; nothing is stored and nothing is sent.
    ///
    /// - Parameters:
    ///   - identity: the user's name at the server, usually a mail address.
    ///   - deviceName: the name of this machine in the server's lists.
    ///
    /// Milagro: `MakeNewUser`
    public func makeUser(_ identity: String, deviceName: String = "") -> User {
        makeUser(ByteText(identity), deviceName: ByteText(deviceName))
    }

    /// Returns the identities at a server, whether it is in use or not.
    ///
    /// - Parameter backend: the server's address.
    ///
    /// Milagro: `ListUsers(backend)`
    public func users(at backend: String) -> [User] {
        users(at: ByteText(backend))
    }

    /// The servers at which the account has identities, without duplicates.
    ///
    /// Milagro: `ListBackends`
    public var backends: [String] { backendTexts.map { $0.string } }

    /// Returns the user of that identity at the server in use.
    ///
    /// - Parameter identity: the identity, byte for byte.
    ///
    /// Milagro: `getIUserById`
    public func user(identity: String) -> User? {
        user(identity: ByteText(identity))
    }

    /// Starts the registration of a new identity.
    ///
    /// The server issues an M-Pin ID. It then either has the identity verified (STARTED_REGISTRATION) or accepts it as
    /// verified (ACTIVATED), for example because of an invitation code.
    /// - Parameters:
    ///   - user: a user in state INVALID whose identity is not registered at this server yet.
    ///   - activateCode: an invitation code.
    ///   - userData: text for the application behind the server.
    /// - Throws: IDENTITY_NOT_AUTHORIZED if the server refuses; FLOW_ERROR in another state. The user stays INVALID.
    ///
    /// Milagro: `StartRegistration`
    public mutating func startRegistration(
        _ user: User, activateCode: String? = nil, userData: String? = nil
    ) throws(MPinError) {
        try startRegistration(
            user, activateCode: activateCode.map { ByteText($0) }, userData: userData.map { ByteText($0) })
    }

    /// Starts the verification of an identity again, with the same M-Pin ID if the server still knows it.
    ///
    /// A server hands out each share only once, and shares are kept only in memory. If a confirmation has fetched one
    /// of them, or the program ended before the PIN was set, a restart makes a server with device keys issue another
    /// M-Pin ID. The identity stays verified, and the first M-Pin ID is revoked.
    /// - Parameters:
    ///   - user: a user in state STARTED_REGISTRATION that has not been confirmed, or in state ACTIVATED if
    ///     ``confirmRegistration(_:pushNotificationIdentifier:)`` found that the server no longer knows the
    ///     registration.
    ///   - activateCode: a code received meanwhile: an invitation code, or the code in a mail.
    ///   - userData: text for the application behind the server.
    /// - Throws: IDENTITY_NOT_AUTHORIZED if the server refuses; nothing changes then. FLOW_ERROR in another state, or
    ///   after both shares were fetched: then call ``finishRegistration(_:pin:)``. FLOW_ERROR also if another process
    ///   has continued the registration: the user then shows what is stored now.
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
    /// The shares stay in memory for ``finishRegistration(_:pin:)``. If the second authority fails, the first share is
    /// kept, and another call asks only for the second one. That works for about a minute.
    /// - Parameters:
    ///   - user: a user in state STARTED_REGISTRATION or ACTIVATED; the state does not change.
    ///   - pushNotificationIdentifier: where the server may send push messages for this user.
    /// - Throws: IDENTITY_NOT_VERIFIED while the identity is not verified, or if the registration has expired. After
    ///   that, only ``restartRegistration(_:activateCode:userData:)`` helps, which then works in state ACTIVATED too.
    ///   FLOW_ERROR if another process has continued the registration.
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
    /// The first permit share is fetched at each login, because that is where the server revokes; the second is cached
    /// for its day. A login that the device signs needs no permit, and usually starts without a request. Only if the
    /// last contact ended with REVOKED, this call asks the server whether the user is still revoked. Otherwise the call
    /// that finishes the login reports a revocation, after the PIN was typed.
    /// - Parameters:
    ///   - user: a user in state REGISTERED.
    ///   - accessCode: the code of the waiting session that this login is for, if any.
    /// - Throws: REVOKED if the server refuses the permit, or reports that the user is still revoked. FLOW_ERROR in
    ///   another state.
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

    /// Checks the length and the check digit of an access number, if the server uses them. Sends nothing.
    ///
    /// The code of a scanned address has no check digit and passes. Before a server's settings are known, every number
    /// that is not empty passes.
    ///
    /// - Parameter accessNumber: what the user typed.
    /// - Throws: INCORRECT_ACCESS_NUMBER.
    ///
    /// Milagro: `CheckAccessNumber`
    public func checkAccessNumber(_ accessNumber: String) throws(MPinError) {
        try checkAccessNumber(ByteText(accessNumber))
    }

    /// Logs in for another session, such as a browser's, that shows an access number or a code to scan.
    ///
    /// Returns when that session is signed in. The server may wait up to ten seconds for it, in addition to
    /// ``TransportOptions/timeoutMilliseconds``. Afterwards ``canLogout(_:)`` shows whether the session can be ended
    /// from here. This call does not check the check digit; see ``checkAccessNumber(_:)``.
    /// - Parameters:
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    ///   - accessNumber: the number, or the code behind the `#` of a scanned address.
    /// - Throws: INCORRECT_ACCESS_NUMBER for an empty number, without a request, and if the server does not know the
    ///   number or no longer does. REQUEST_EXPIRED if the other side did not finish in time, which it may still do
    ///   later. Otherwise as ``finishAuthentication(_:pin:)``.
    ///
    /// Milagro: `FinishAuthenticationAN`
    public mutating func finishAuthenticationAN(
        _ pending: borrowing PendingAuthentication, pin: borrowing PIN, accessNumber: String
    ) throws(MPinError) {
        try finishAuthenticationAN(pending, pin: pin, accessNumber: ByteText(accessNumber))
    }

    /// Logs in at a platform that gives the application a code, which the application's back end redeems.
    ///
    /// - Parameters:
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    /// - Returns: the authorization code.
    /// - Throws: as ``finishAuthentication(_:pin:)``, and RESPONSE_PARSE_ERROR if the answer has no code.
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
    /// Replaces a registration with a new one, and has the registrations revoked that were abandoned on the way.
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
