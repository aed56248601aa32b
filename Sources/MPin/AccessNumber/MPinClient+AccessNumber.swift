internal import MPinCrypto
internal import MPinWire

extension MPinClient {
    /// Checks an access number without sending anything: its length and its check digit, where the server uses them.
    ///
    /// Before a server's settings are known, any number is taken that is not empty.
    /// - Throws: INCORRECT_ACCESS_NUMBER.
    public func checkAccessNumber(_ accessNumber: String) throws(MPinError) {
        let wrong = MPinError(.incorrectAccessNumber, "This is no access number: look for a mistyped digit.")
        guard !accessNumber.utf8.isEmpty else { throw wrong }
        guard let settings, settings.flag(.accessNumberUseCheckSum, default: true),
            settings.integer(.checkSum) ?? 0 != 0, settings.integer(.accessNumberDigits) ?? 7 == 7
        else { return }
        guard AccessNumber.isValid(Array(accessNumber.utf8)) else { throw wrong }
    }

    /// Logs in for a session elsewhere, such as a browser's, that shows an access number or a code to scan.
    ///
    /// Returns when that session has been signed in; the server may wait up to ten seconds for it, which come on top of
    /// ``TransportOptions/timeoutMilliseconds``. Whether it can be ended from here says ``canLogout(_:)`` afterwards.
    /// The number is not checked here, because scanned codes have no check digit; see ``checkAccessNumber(_:)``.
    /// - Parameters:
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    ///   - accessNumber: the number, or the code behind the `#` of a scanned URL; empty for an ordinary login.
    /// - Throws: INCORRECT_ACCESS_NUMBER when the server does not know it (any more); REQUEST_EXPIRED when the other
    ///   side did not finish in time, which it may still do; the rest as ``finishAuthentication(_:pin:)``.
    public mutating func finishAuthenticationAN(
        _ pending: borrowing PendingAuthentication, pin: borrowing PIN, accessNumber: String
    ) throws(MPinError) {
        try requireHere(pending.user)
        let final: FinalCall = accessNumber.utf8.isEmpty ? .authenticate : .accessNumber(ByteText(accessNumber))
        guard accessNumber.utf8.count <= 64, accessNumber.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else {
            throw MPinError(.incorrectAccessNumber, "This is no access number.")
        }
        let answer = try finishAuthentication(pending, as: pending.user, pin: pin, final: final).answer
        pending.user.logout = LogoutCall(answer, at: pending.server)
    }
}
