// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension FinalCall {
    /// The setting with the address of the final call.
    var setting: MemberName {
        switch self {
        case .authenticate, .changePIN, .oneTimePassword: .authenticateURL
        case .accessNumber: .mobileAuthenticateURL
        case .owner(let call): call.setting
        }
    }
}

extension Server {
    /// Sends the commitment and returns the challenge.
    ///
    /// - Parameter mayRepeat: whether it may be repeated with fresh settings: only if no PIN of this login can have
    ///   been judged.
    @inline(__always)
    func passOne(
        _ message: PassOneRequest, mayRepeat: Bool, until deadline: Deadline
    ) throws(MPinError) -> PassOneResponse {
        try request(
            .passOne, .mpinAuthServerURL, "/pass1", body: message.encode(), until: deadline, mayRepeat: mayRepeat,
            PassOneResponse.decode)
    }

    /// Answers the challenge and returns the login handle, which does not reveal whether the PIN was right.
    @inline(__always)
    func passTwo(_ message: PassTwoRequest, until deadline: Deadline) throws(MPinError) -> PassTwoResponse {
        try transport.request(
            .passTwo, url(.mpinAuthServerURL, "/pass2"), body: message.encode(), until: deadline, PassTwoResponse.decode
        )
    }

    /// The address of the final call. It is resolved before the PIN is sent: unusable settings must not cost an
    /// attempt.
    func finalURL(_ final: FinalCall, until deadline: Deadline) throws(MPinError) -> ByteText {
        do throws(MPinError) { return try url(final.setting) } catch {
            guard !hasFreshSettings, readAgain(until: deadline) else { throw error }
        }
        return try url(final.setting)
    }

    /// Redeems the login handle. Only this answer decides the login.
    ///
    /// - Parameter binding: the key that the registration gets with this call.
    func authenticate(
        _ authOTT: HexText, _ final: FinalCall, _ binding: DeviceBinding?, at url: ByteText, until deadline: Deadline
    ) throws(MPinError) -> AuthenticateResponse {
        let body: [UInt8]
        if case .owner(let call) = final {
            body = call.body(authOTT)
        } else {
            body = AuthenticateRequest(authOTT: authOTT).encode()
        }
        return try conclude(.authenticate, at: url, body, until: deadline)
    }

    /// Logs in with the one request that the device has signed. It is never sent twice.
    func logInDirectly(
        _ message: DirectLoginRequest, _ check: AnswerCheck?, until deadline: Deadline
    ) throws(MPinError) -> AuthenticateResponse {
        try conclude(.directLogin, at: url(.directURL), message.encode(), until: deadline, check)
    }

    /// Makes the request whose answer decides the login.
    @inline(never)
    func conclude(
        _ endpoint: Endpoint, at url: ByteText, _ body: [UInt8], until deadline: Deadline, _ check: AnswerCheck? = nil
    ) throws(MPinError) -> AuthenticateResponse {
        let answer = try transport.request(
            endpoint, url, body: body, until: deadline, check: check, AuthenticateResponse.decode)
        guard !answer.isEmpty else {
            throw MPinError(
                .responseParseError, "The server's last answer was empty.",
                pinChecked: endpoint.pinChecked(.unreadable))
        }
        return answer
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
