internal import MPinWire

extension MPinClient {
    /// Whether the session that this user's last access number signed in can be ended from here.
    ///
    /// - Parameter user: one of this client's users.
    ///
    /// Milagro: `CanLogout`
    public func canLogout(_ user: User) -> Bool {
        isListed(user) && user.logout != nil
    }

    /// Ends the session that this user's last access number signed in.
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
        guard isListed(user), let call = user.logout, let backend, user.record.backend == backend.address,
            let transport
        else { return false }
        guard let status = transport.logout(call, until: deadline()) else { return false }
        if status == 200 || status == 401 { user.logout = nil }
        return status == 200
    }
}
