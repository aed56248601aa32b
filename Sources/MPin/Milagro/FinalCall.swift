// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

/// The final call of a login with the protocol of 2016, and what pass 2 announces of it.
struct FinalCall {
    /// The session that the login is for, which waits behind an access number or a scanned code.
    private(set) var session: ByteText?
    /// Whether the server is to issue a one-time password.
    private(set) var wantsOTP = false

    /// The final call for a purpose; nil for one that only registrations with a device key have.
    init?(_ purpose: DirectPurpose) {
        switch purpose {
        case .login, .changePIN: break
        case .oneTimePassword: wantsOTP = true
        case .session(let code, _): session = code
        case .revoke, .owner, .sshCertificate: return nil
        }
    }

    var setting: MemberName { session == nil ? .authenticateURL : .mobileAuthenticateURL }
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
}
