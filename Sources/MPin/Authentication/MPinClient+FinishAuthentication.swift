extension MPinClient {
    /// Logs in with a PIN.
    ///
    /// Success means that the server verified token and PIN together, that its last answer was 200 with a valid body,
    /// and that it named no other identity and no other server than those of the registration.
    ///
    /// - Parameters:
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    /// - Throws: INCORRECT_PIN; when it was the last wrong one the user becomes BLOCKED. With nothing sent:
    ///   PIN_INPUT_CANCELED for an empty PIN, INCORRECT_PIN for one of another length than was set.
    ///
    /// Milagro: `FinishAuthentication`
    @inline(never)
    @discardableResult
    public mutating func finishAuthentication(
        _ pending: borrowing PendingAuthentication, pin: borrowing PIN
    ) throws(MPinError) -> AuthenticationResult {
        try requireHere(pending.user)
        return AuthenticationResult(
            login: try finishAuthentication(pending, as: pending.user, pin: pin, final: .authenticate))
    }
}
