internal import MPinWire

extension MPinClient {
    /// Whether ``logout(_:)`` would send a request: the application named an address for it when this user last signed in a
    /// session by access number, and the server in use is that of the user.
    ///
    /// - Parameter user: one of this client's users.
    ///
    /// Milagro: `CanLogout`
    public func canLogout(_ user: User) -> Bool {
        logoutCall(of: user) != nil
    }

    /// Ends the session that this user's last access number signed in. Sends nothing where ``canLogout(_:)`` is false.
    ///
    /// - Parameter user: one of this client's users.
    /// - Returns: whether the application confirmed it. If not, what is needed for another try is kept, unless the
    ///   answer was that the session is over already (401): then ``canLogout(_:)`` is false as well.
    ///   As in Milagro's SDK, this is the whole result, and nothing is thrown: the session belongs to the other side, and
    ///   all that a failure leads to is another try.
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
