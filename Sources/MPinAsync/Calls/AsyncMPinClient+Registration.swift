// SPDX-License-Identifier: Apache-2.0
public import MPin

extension AsyncMPinClient {
    /// Starts the registration of a new identity; see
    /// ``/MPin/MPinClient/startRegistration(_:invitation:userData:serverKey:)``.
    ///
    /// If it is canceled while the server works, the code may be used up, as after a lost answer.
    /// - Parameters:
    ///   - user: the ID of a user in state INVALID.
    ///   - invitation: an invitation or backup code, of 16 symbols.
    ///   - userData: text for the application behind the server.
    ///   - serverKey: the fingerprint that the key of the server must have.
    /// - Returns: the user, in state STARTED_REGISTRATION or ACTIVATED.
    /// - Throws: as there.
    @discardableResult
    public nonisolated func startRegistration(
        _ user: UserInfo.ID, invitation: String? = nil, userData: String? = nil, serverKey: String? = nil
    ) async throws(MPinError) -> UserInfo {
        try await change(user) { client, user throws(MPinError) in
            try client.startRegistration(user, invitation: invitation, userData: userData, serverKey: serverKey)
        }
    }

    /// Starts the registration of a new identity with a code of the application behind the server; see
    /// ``/MPin/MPinClient/startRegistration(_:activateCode:userData:serverKey:)``.
    ///
    /// - Parameters:
    ///   - user: the ID of a user in state INVALID.
    ///   - activateCode: the application's code.
    ///   - userData: text for the application behind the server.
    ///   - serverKey: the fingerprint that the key of the server must have.
    /// - Returns: the user, in state STARTED_REGISTRATION or ACTIVATED.
    /// - Throws: as there.
    @discardableResult
    public nonisolated func startRegistration(
        _ user: UserInfo.ID, activateCode: String, userData: String? = nil, serverKey: String? = nil
    ) async throws(MPinError) -> UserInfo {
        try await change(user) { client, user throws(MPinError) in
            try client.startRegistration(user, activateCode: activateCode, userData: userData, serverKey: serverKey)
        }
    }

    /// Starts the verification of an identity again; see
    /// ``/MPin/MPinClient/restartRegistration(_:invitation:userData:)``.
    ///
    /// - Parameters:
    ///   - user: the ID of a user in state STARTED_REGISTRATION, or ACTIVATED if the registration has lapsed.
    ///   - invitation: an invitation or backup code received meanwhile.
    ///   - userData: text for the application behind the server.
    /// - Throws: as there.
    @discardableResult
    public nonisolated func restartRegistration(
        _ user: UserInfo.ID, invitation: String? = nil, userData: String? = nil
    ) async throws(MPinError) -> UserInfo {
        try await change(user) { client, user throws(MPinError) in
            try client.restartRegistration(user, invitation: invitation, userData: userData)
        }
    }

    /// Starts the verification of an identity again with a code of the application behind the server, or the code in a
    /// mail; see ``/MPin/MPinClient/restartRegistration(_:activateCode:userData:)``.
    ///
    /// - Parameters:
    ///   - user: as there.
    ///   - activateCode: the code.
    ///   - userData: text for the application behind the server.
    /// - Throws: as there.
    @discardableResult
    public nonisolated func restartRegistration(
        _ user: UserInfo.ID, activateCode: String, userData: String? = nil
    ) async throws(MPinError) -> UserInfo {
        try await change(user) { client, user throws(MPinError) in
            try client.restartRegistration(user, activateCode: activateCode, userData: userData)
        }
    }

    /// Fetches both shares of the client secret, if the identity has been verified; see
    /// ``/MPin/MPinClient/confirmRegistration(_:pushNotificationIdentifier:)``. If it is canceled, call it again soon.
    ///
    /// - Parameters:
    ///   - user: the ID of a user in state STARTED_REGISTRATION or ACTIVATED.
    ///   - pushNotificationIdentifier: where the server may send push messages for this user.
    /// - Throws: as there.
    @discardableResult
    public nonisolated func confirmRegistration(
        _ user: UserInfo.ID, pushNotificationIdentifier: String? = nil
    ) async throws(MPinError) -> UserInfo {
        try await change(user) { client, user throws(MPinError) in
            try client.confirmRegistration(user, pushNotificationIdentifier: pushNotificationIdentifier)
        }
    }

    /// Splits the client secret into the PIN and the token, and stores the token; see
    /// ``/MPin/MPinClient/finishRegistration(_:pin:)``.
    ///
    /// - Parameters:
    ///   - user: the ID of a user whose registration has been confirmed.
    ///   - pin: the new PIN.
    /// - Returns: the user, in state REGISTERED.
    /// - Throws: as there.
    @discardableResult
    public nonisolated func finishRegistration(
        _ user: UserInfo.ID, pin: borrowing PIN
    ) async throws(MPinError) -> UserInfo {
        try await change(user) { client, user throws(MPinError) in try client.finishRegistration(user, pin: pin) }
    }

    /// Removes from the staging area any copy of a registration in use; see ``/MPin/MPinClient/discardLeftovers()``.
    ///
    /// - Throws: as there.
    public nonisolated func discardLeftovers() async throws(MPinError) {
        try await call { state throws(MPinError) in try state.client.discardLeftovers() }
    }
}
