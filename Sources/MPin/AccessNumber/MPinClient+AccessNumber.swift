// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

extension MPinClient {
    /// The length of the shortest code in a scanned address, in characters. No access number is that long.
    private static let shortestCode = 32

    /// Checks the length and the check digit of an access number, if the server uses them. Sends nothing.
    ///
    /// The code of a scanned address has no check digit and passes. Before a server's settings are known, every number
    /// that is not empty passes.
    ///
    /// - Parameter accessNumber: the number as the page shows it, with or without its blank.
    /// - Throws: INCORRECT_ACCESS_NUMBER.
    ///
    /// Milagro: `CheckAccessNumber`
    public func checkAccessNumber(_ accessNumber: String) throws(MPinError) {
        let wrong = MPinError(.incorrectAccessNumber, "This is not an access number: check for a mistyped digit.")
        let digits = MPinClient.accessCode(accessNumber).bytes
        guard !digits.isEmpty else { throw wrong }
        guard let settings, !MPinClient.isScannedCode(digits) else { return }
        // Settings without a length may still name a rule for the check digit. It is always the rule for seven digits.
        guard let length = settings.integer(.accessNumberDigits) ?? (settings.integer(.checkSum) ?? 0 != 0 ? 7 : nil)
        else { return }
        guard digits.count == length, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            throw wrong
        }
        guard length == 7, settings.flag(.accessNumberUseCheckSum, default: true) else { return }
        guard AccessNumber.isValid(digits) else { throw wrong }
    }

    /// The code without the blanks with which a page shows a number: U+0020 and U+00A0.
    static func accessCode(_ text: String) -> ByteText {
        let bytes = Array(text.utf8)
        var code = ByteText(), position = 0
        while position < bytes.count {
            let isWide = bytes[position] == 0xC2 && position + 1 < bytes.count && bytes[position + 1] == 0xA0
            if !isWide, bytes[position] != 0x20 { code.append(bytes[position]) }
            position += isWide ? 2 : 1
        }
        return code
    }

    /// Whether these are hexadecimal digits and hyphens, and at least as many as in the code of a scanned address.
    private static func isScannedCode(_ bytes: [UInt8]) -> Bool {
        bytes.count >= shortestCode
            && bytes.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                    UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// Returns who requests the login behind an access number or scanned code.
    ///
    /// - Parameter accessCode: the access number, or the code behind the `#` of a scanned address.
    /// - Returns: the server's answer; empty texts from a server without this feature.
    /// - Throws: FLOW_ERROR before a server is chosen; otherwise as for any request.
    ///
    /// Milagro: `GetSessionDetails`
    public mutating func getSessionDetails(_ accessCode: String) throws(MPinError) -> SessionDetails {
        let deadline = deadline()
        let server = try server(deadline)
        guard let (answer, body) = try server.sessionDetails(of: MPinClient.accessCode(accessCode), until: deadline)
        else {
            return SessionDetails(prerollID: "", appName: "", appLogoURL: "", requester: nil, digest: nil)
        }
        let digest: [UInt8]
        do throws(CryptoError) { digest = try Hash.sha256(body.bytes) } catch { throw MPinError(error) }
        return SessionDetails(
            prerollID: answer.prerollID, appName: answer.appName, appLogoURL: answer.appLogoURL,
            requester: answer.requester.map {
                SessionDetails.Requester(
                    isVerified: $0.isVerified, host: $0.host, account: $0.account, service: $0.service,
                    address: $0.address)
            }, digest: digest)
    }

    /// Rejects the sign-in request of a waiting session. Needs its access number, but no PIN.
    ///
    /// - Parameter accessCode: the access number, or the code behind the `#` of a scanned address.
    /// - Returns: false if the server does not know the session, or no longer does.
    /// - Throws: FLOW_ERROR before a server has been chosen, or if the server does not offer this.
    ///
    /// Milagro: none
    public mutating func deny(_ accessCode: String) throws(MPinError) -> Bool {
        let deadline = deadline()
        let server = try server(deadline)
        guard server.settings.offers(.deny) else {
            throw MPinError(.flowError, "The server does not support denying a login.")
        }
        let status = try server.transport.send(
            .codeStatus, server.url(.codeStatusURL), body: CodeStatusRequest.denial(MPinClient.accessCode(accessCode)),
            until: deadline)
        switch status {
        case 200: return true
        case 412: return false
        default: throw server.refusal(Endpoint.codeStatus.refusal(httpStatus: status, Span()))
        }
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
    ///   - details: what the user was shown of the session. With a device key, the login counts for no session with
    ///     other details, so that neither the network nor a session that gets the same number later can exchange them.
    /// - Throws: INCORRECT_ACCESS_NUMBER for an empty number, without a request, and if the server does not know the
    ///   number or no longer does. REQUEST_EXPIRED if the other side did not finish in time, which it may still do
    ///   later. Otherwise as ``finishAuthentication(_:pin:)``.
    ///
    /// Milagro: `FinishAuthenticationAN`
    public mutating func finishAuthenticationAN(
        _ pending: borrowing PendingAuthentication, pin: borrowing PIN, accessNumber: String,
        details: SessionDetails? = nil
    ) throws(MPinError) {
        try requireHere(pending.user)
        let number = MPinClient.accessCode(accessNumber)
        guard 1...64 ~= number.count, number.isVisible else {
            throw MPinError(.incorrectAccessNumber, "This is not an access number.")
        }
        let shown = details?.digest.map { HexText(bytes: $0) }
        let answer = try logIn(pending, as: pending.user, pin: pin, .session(number, details: shown)).answer
        pending.user.logout = backend.flatMap { LogoutCall(answer, at: $0) }
    }

    /// Whether ``logout(_:)`` would send a request.
    ///
    /// It does if the application named an address for it when this user last signed in a session by access number, and
    /// if the client uses the user's server.
    ///
    /// - Parameter user: one of this client's users.
    ///
    /// Milagro: `CanLogout`
    public func canLogout(_ user: User) -> Bool { logoutCall(of: user) != nil }

    /// Ends the session that this user's last access number signed in. Sends nothing if ``canLogout(_:)`` is false.
    ///
    /// - Parameter user: one of this client's users.
    /// - Returns: whether the application confirmed it. If it did not, the client keeps what another try needs, unless
    ///   the answer was that the session is already over (401): then ``canLogout(_:)`` is false too. As in Milagro's
    ///   SDK, this is the whole result and nothing is thrown: the session belongs to the other side, and the only
    ///   response to a failure is another try.
    ///
    /// Milagro: `Logout`
    @discardableResult public mutating func logout(_ user: User) -> Bool {
        guard let call = logoutCall(of: user), let transport else { return false }
        guard let status = transport.logout(call, until: deadline()) else { return false }
        if status == 200 || status == 401 { user.logout = nil }
        return status == 200
    }

    private func logoutCall(of user: User) -> LogoutCall? {
        guard isListed(user), let backend, user.record.backend == backend.address else { return nil }
        return user.logout
    }
}

/// The request that ends a session signed in by access number.
///
/// It is kept only in memory. The user's next login by access number replaces it.
struct LogoutCall {
    let url: ByteText
    /// A JSON object, as the application sent it.
    let body: [UInt8]

    /// - Returns: `nil` if the application named no address that the client may call.
    init?(_ answer: AuthenticateResponse, at backend: Backend) {
        guard let logoutURL = answer.logoutURL, let url = backend.resolve(logoutURL) else { return nil }
        self.url = url
        body = answer.logoutData ?? ByteText("{}").bytes
    }
}

extension HTTPTransport {
    /// Ends a session that a login by access number has signed in.
    ///
    /// - Returns: the HTTP status; nil if no answer arrived.
    func logout(_ call: LogoutCall, until deadline: Deadline) -> Int? {
        do throws(MPinError) {
            return try send(.logout, call.url, body: call.body, until: deadline)
        } catch { return nil }
    }
}
