// SPDX-License-Identifier: Apache-2.0
extension MPinClient {
    /// Logs in with a PIN.
    ///
    /// Success means that the server verified token and PIN together, that its last answer was 200 with a valid body,
    /// and that this answer named no identity and no server other than the registration's.
    ///
    /// - Parameters:
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    /// - Throws: INCORRECT_PIN for a wrong PIN; after the last try the user is BLOCKED. Without a request:
    ///   PIN_INPUT_CANCELED for an empty PIN, INCORRECT_PIN for a PIN with the wrong number of digits.
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
