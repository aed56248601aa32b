// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension MPinClient {
    /// Whether ``logout(_:)`` would send a request.
    ///
    /// It does if the application named an address for it when this user last signed in a session by access number, and
    /// if the client uses the user's server.
    ///
    /// - Parameter user: one of this client's users.
    ///
    /// Milagro: `CanLogout`
    public func canLogout(_ user: User) -> Bool {
        logoutCall(of: user) != nil
    }

    /// Ends the session that this user's last access number signed in. Sends nothing if ``canLogout(_:)`` is false.
    ///
    /// - Parameter user: one of this client's users.
    /// - Returns: whether the application confirmed it. If it did not, the client keeps what another try needs, unless
    ///   the answer was that the session is already over (401): then ``canLogout(_:)`` is false too. As in Milagro's
    ///   SDK, this is the whole result and nothing is thrown: the session belongs to the other side, and the only
    ///   response to a failure is another try.
    ///
    /// Milagro: `Logout`
    @discardableResult
    public mutating func logout(_ user: User) -> Bool {
        guard let call = logoutCall(of: user), let transport else { return false }
        guard let status = transport.logout(call, until: deadline()) else { return false }
        if status == 200 || status == 401 { user.logout = nil }
        return status == 200
    }

    private func logoutCall(of user: User) -> LogoutCall? {
        guard isListed(user), let backend, user.record.backend == backend.address else { return nil }
        return user.logout
    }
}
