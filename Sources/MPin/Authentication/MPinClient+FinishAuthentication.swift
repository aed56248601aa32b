package import MPinWire

extension MPinClient {
    /// Logs in with a PIN.
    ///
    /// Success means that the server verified token and PIN together, that its last answer was 200 with a valid body,
    /// and that it named no other identity and no other server than those of the registration.
    /// - Throws: INCORRECT_PIN; when it was the last wrong one the user becomes BLOCKED. With nothing sent:
    ///   PIN_INPUT_CANCELED for an empty PIN, INCORRECT_PIN for one of another length than was set.
    @inline(never)
    @discardableResult
    public mutating func finishAuthentication(
        _ pending: borrowing PendingAuthentication, pin: borrowing PIN
    ) throws(MPinError) -> AuthenticationResult {
        try requireHere(pending.user)
        return AuthenticationResult(
            login: try finishAuthentication(pending, as: pending.user, pin: pin, final: .authenticate))
    }

    /// Logs in and has another registration of the same identity revoked, at servers that offer it.
    ///
    /// - Parameter mpinID: the M-Pin ID of that registration, or of the one that logs in.
    /// - Throws: HTTP_REQUEST_ERROR (404) when the server knows no such registration, FLOW_ERROR when it does not offer
    ///   this.
    package mutating func revoke(
        registration mpinID: HexText, by pending: borrowing PendingAuthentication, pin: borrowing PIN
    ) throws(MPinError) {
        guard pending.server.settings.offers("revoke"), pending.server.settings.text(.revokeURL) != nil else {
            throw MPinError(.flowError, "The server does not let users revoke registrations.")
        }
        _ = try finishAuthentication(pending, as: pending.user, pin: pin, final: .revoke(mpinID))
    }
}
