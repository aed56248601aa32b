// SPDX-License-Identifier: Apache-2.0
public import MPin

extension AsyncMPinClient {
    /// Checks the length and the check digit of an access number; see ``/MPin/MPinClient/checkAccessNumber(_:)``.
    ///
    /// - Parameter accessNumber: what the user typed.
    /// - Throws: INCORRECT_ACCESS_NUMBER.
    public nonisolated func checkAccessNumber(_ accessNumber: String) async throws(MPinError) {
        try await call { state throws(MPinError) in try state.client.checkAccessNumber(accessNumber) }
    }

    /// Returns who requests the login behind an access number or scanned code; see
    /// ``/MPin/MPinClient/getSessionDetails(_:)``.
    ///
    /// - Parameter accessCode: the access number, or the code behind the `#` of a scanned address.
    /// - Throws: as there.
    public nonisolated func getSessionDetails(_ accessCode: String) async throws(MPinError) -> SessionDetails {
        try await call { state throws(MPinError) in try state.client.getSessionDetails(accessCode) }
    }

    /// Rejects the sign-in request of a waiting session; see ``/MPin/MPinClient/deny(_:)``.
    ///
    /// - Parameter accessCode: the access number, or the code behind the `#` of a scanned address.
    /// - Returns: false if the server does not know the session.
    /// - Throws: as there.
    public nonisolated func deny(_ accessCode: String) async throws(MPinError) -> Bool {
        try await call { state throws(MPinError) in try state.client.deny(accessCode) }
    }

    /// Logs in for another session that shows an access number or a code to scan; see
    /// ``/MPin/MPinClient/finishAuthenticationAN(_:pin:accessNumber:details:)``.
    ///
    /// - Parameters:
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    ///   - accessNumber: the number, or the code behind the `#` of a scanned address.
    ///   - details: what the user was shown of the session.
    /// - Throws: as there.
    public nonisolated func finishAuthenticationAN(
        _ pending: borrowing PendingSignIn, pin: borrowing PIN, accessNumber: String, details: SessionDetails? = nil
    ) async throws(MPinError) {
        try await finish(pending, pin) { client, login, pin throws(MPinError) in
            try client.finishAuthenticationAN(login, pin: pin, accessNumber: accessNumber, details: details)
        }
    }

    /// Whether ``logout(_:)`` would send a request.
    ///
    /// - Parameter user: the ID of a user.
    /// - Throws: FLOW_ERROR for a user of another client.
    public nonisolated func canLogout(_ user: UserInfo.ID) async throws(MPinError) -> Bool {
        try await call { state throws(MPinError) in state.client.canLogout(try state.user(user)) }
    }

    /// Ends the session that this user's last access number signed in; see ``/MPin/MPinClient/logout(_:)``.
    ///
    /// - Parameter user: the ID of a user.
    /// - Returns: whether the application confirmed it.
    /// - Throws: FLOW_ERROR for a user of another client.
    @discardableResult
    public nonisolated func logout(_ user: UserInfo.ID) async throws(MPinError) -> Bool {
        try await call { state throws(MPinError) in state.client.logout(try state.user(user)) }
    }
}
