internal import MPinCrypto
package import MPinWire

extension MPinClient {
    /// Checks an access number without sending anything: its length and its check digit, where the server uses them.
    package func checkAccessNumber(_ accessNumber: ByteText) throws(MPinError) {
        let wrong = MPinError(.incorrectAccessNumber, "This is no access number: look for a mistyped digit.")
        guard !accessNumber.isEmpty else { throw wrong }
        guard let settings, settings.flag(.accessNumberUseCheckSum, default: true),
            settings.integer(.checkSum) ?? 0 != 0, settings.integer(.accessNumberDigits) ?? 7 == 7
        else { return }
        guard AccessNumber.isValid(accessNumber.bytes) else { throw wrong }
    }

    /// Logs in for a session elsewhere, such as a browser's, that shows an access number or a code to scan.
    package mutating func finishAuthenticationAN(
        _ pending: borrowing PendingAuthentication, pin: borrowing PIN, accessNumber: ByteText
    ) throws(MPinError) {
        try requireHere(pending.user)
        let final: FinalCall = accessNumber.isEmpty ? .authenticate : .accessNumber(accessNumber)
        guard accessNumber.count <= 64, accessNumber.isVisible else {
            throw MPinError(.incorrectAccessNumber, "This is no access number.")
        }
        let answer = try finishAuthentication(pending, as: pending.user, pin: pin, final: final).answer
        pending.user.logout = LogoutCall(answer, at: pending.server)
    }
}
