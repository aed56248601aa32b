// SPDX-License-Identifier: Apache-2.0
public import MPin

extension AsyncMPinClient {
    /// Starts a login; see ``/MPin/MPinClient/startAuthentication(_:accessCode:)``.
    ///
    /// - Parameters:
    ///   - user: the ID of a user in state REGISTERED.
    ///   - accessCode: the code of the waiting session that this login is for, if any.
    /// - Throws: as there.
    public nonisolated func startAuthentication(
        _ user: UserInfo.ID, accessCode: String? = nil
    ) async throws(MPinError) -> PendingSignIn {
        PendingSignIn(
            try await call { state throws(MPinError) in
                let user = try state.user(user)
                let pending = try state.client.startAuthentication(user, accessCode: accessCode)
                return StartedLogin(pending, state.info(user), of: state)
            })
    }

    /// Logs in with a PIN; see ``/MPin/MPinClient/finishAuthentication(_:pin:)``.
    ///
    /// - Parameters:
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    /// - Throws: as there.
    @discardableResult
    public nonisolated func finishAuthentication(
        _ pending: borrowing PendingSignIn, pin: borrowing PIN
    ) async throws(MPinError) -> AuthenticationResult {
        try await finish(pending, pin) { client, login, pin throws(MPinError) in
            try client.finishAuthentication(login, pin: pin)
        }
    }

    /// Logs in and has the server issue a one-time password; see ``/MPin/MPinClient/finishAuthenticationOTP(_:pin:)``.
    ///
    /// - Parameters:
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    /// - Throws: as there.
    public nonisolated func finishAuthenticationOTP(
        _ pending: borrowing PendingSignIn, pin: borrowing PIN
    ) async throws(MPinError) -> OTP {
        try await finish(pending, pin) { client, login, pin throws(MPinError) in
            try client.finishAuthenticationOTP(login, pin: pin)
        }
    }

    /// Logs in at a platform that gives the application a code; see
    /// ``/MPin/MPinClient/finishAuthenticationMFA(_:pin:)``.
    ///
    /// - Parameters:
    ///   - pending: the started login.
    ///   - pin: the user's PIN.
    /// - Throws: as there.
    public nonisolated func finishAuthenticationMFA(
        _ pending: borrowing PendingSignIn, pin: borrowing PIN
    ) async throws(MPinError) -> String {
        try await finish(pending, pin) { client, login, pin throws(MPinError) in
            try client.finishAuthenticationMFA(login, pin: pin)
        }
    }

    /// Gives a registration a new PIN; see ``/MPin/MPinClient/changePIN(_:from:to:)``. If it is canceled before the new
    /// PIN has logged in, the old PIN stays valid.
    ///
    /// - Parameters:
    ///   - user: the ID of a user in state REGISTERED.
    ///   - old: the current PIN.
    ///   - new: the new PIN.
    /// - Throws: as there.
    @discardableResult
    public nonisolated func changePIN(
        _ user: UserInfo.ID, from old: borrowing PIN, to new: borrowing PIN
    ) async throws(MPinError) -> UserInfo {
        try await change(user) { client, user throws(MPinError) in try client.changePIN(user, from: old, to: new) }
    }

    /// Makes a BLOCKED user REGISTERED again; see ``/MPin/MPinClient/liftBlock(of:pin:)``.
    ///
    /// - Parameters:
    ///   - user: the ID of a user in state BLOCKED.
    ///   - pin: the existing PIN.
    /// - Throws: as there.
    @discardableResult
    public nonisolated func liftBlock(of user: UserInfo.ID, pin: borrowing PIN) async throws(MPinError) -> UserInfo {
        try await change(user) { client, user throws(MPinError) in try client.liftBlock(of: user, pin: pin) }
    }

    /// Replaces a blocked, revoked or expired registration with a new one from the staging area; see
    /// ``/MPin/MPinClient/recover(_:pin:)``.
    ///
    /// - Parameters:
    ///   - user: the ID of a user in state REGISTERED in the staging area.
    ///   - pin: the user's PIN.
    /// - Returns: whether the server has revoked the old registration.
    /// - Throws: as there.
    @discardableResult
    public nonisolated func recover(_ user: UserInfo.ID, pin: borrowing PIN) async throws(MPinError) -> Bool {
        try await call { state throws(MPinError) in try state.client.recover(state.user(user), pin: pin) }
    }
}

extension AsyncMPinClient {
    /// Makes a call that finishes a login.
    nonisolated func finish<Result: Sendable>(
        _ pending: borrowing PendingSignIn, _ pin: borrowing PIN,
        _ work: @Sendable (inout MPinClient, borrowing PendingAuthentication, borrowing PIN) throws(MPinError) -> Result
    ) async throws(MPinError) -> Result {
        let started = pending.started
        return try await call { state throws(MPinError) in
            try started.lend(to: state) { login throws(MPinError) in try work(&state.client, login, pin) }
        }
    }

    /// Makes a call that changes a user.
    nonisolated func change(
        _ user: UserInfo.ID, _ work: @Sendable (inout MPinClient, User) throws(MPinError) -> Void
    ) async throws(MPinError) -> UserInfo {
        try await call { state throws(MPinError) in
            let user = try state.user(user)
            try work(&state.client, user)
            return state.info(user)
        }
    }
}
