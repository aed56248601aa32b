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
    /// - Parameter mayRepeat: whether it may be sent once more by fresh settings: no PIN of this login may have been
    ///   judged.
    func passOne(
        _ message: PassOneRequest, mayRepeat: Bool, until deadline: Deadline
    ) throws(MPinError) -> PassOneResponse {
        try request(
            .passOne, .mpinAuthServerURL, "/pass1", body: message.encode(), until: deadline, mayRepeat: mayRepeat
        ) { body throws(WireError) in try PassOneResponse.decode(body) }
    }

    /// Answers the challenge; the answer is the login handle of the result, which says nothing about right or wrong.
    func passTwo(_ message: PassTwoRequest, until deadline: Deadline) throws(MPinError) -> PassTwoResponse {
        try transport.request(
            .passTwo, url(.mpinAuthServerURL, "/pass2"), body: message.encode(), until: deadline
        ) { body throws(WireError) in try PassTwoResponse.decode(body) }
    }

    /// Where the final call goes. Asked before the PIN is sent: settings that lead nowhere must not cost an attempt.
    func finalURL(_ final: FinalCall, until deadline: Deadline) throws(MPinError) -> ByteText {
        do throws(MPinError) { return try url(final.setting) } catch {
            guard !hasFreshSettings, readAgain(until: deadline) else { throw error }
        }
        return try url(final.setting)
    }

    /// Redeems the login handle: the one answer that decides.
    ///
    /// - Parameter binding: the key that the registration is to have from then on.
    func authenticate(
        _ authOTT: HexText, _ final: FinalCall, _ binding: DeviceBinding?, at url: ByteText, until deadline: Deadline
    ) throws(MPinError) -> AuthenticateResponse {
        let body: [UInt8]
        if case .owner(let call) = final {
            body = call.body(authOTT)
        } else {
            body = AuthenticateRequest(authOTT: authOTT, binding: binding).encode()
        }
        return try conclude(.authenticate, at: url, body, until: deadline)
    }

    /// Makes the request whose answer decides.
    @inline(never)
    func conclude(
        _ endpoint: Endpoint, at url: ByteText, _ body: [UInt8], until deadline: Deadline
    ) throws(MPinError) -> AuthenticateResponse {
        let answer = try transport.request(endpoint, url, body: body, until: deadline) { body throws(WireError) in
            try AuthenticateResponse.decode(body)
        }
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
    /// - Returns: the HTTP status; nil where no answer came.
    func logout(_ call: LogoutCall, until deadline: Deadline) -> Int? {
        do throws(MPinError) {
            return try send(.logout, call.url, body: call.body, until: deadline)
        } catch { return nil }
    }
}
