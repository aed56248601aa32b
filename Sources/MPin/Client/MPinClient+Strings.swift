internal import MPinWire

extension MPinClient {
    /// Starts a login: fetches the time permits of the server's day.
    ///
    /// The first permit share is asked for at each login, for there the server revokes; the second is kept for its day.
    /// - Parameters:
    ///   - user: one in state REGISTERED.
    ///   - accessCode: the code of a waiting session that this login is for, if any.
    /// - Throws: REVOKED when the server refuses the permit, FLOW_ERROR in another state.
    public mutating func startAuthentication(
        _ user: User, accessCode: String? = nil
    ) throws(MPinError) -> PendingAuthentication {
        try startAuthentication(user, accessCode: accessCode.map { ByteText($0) })
    }

    /// Chooses the server without a request: a login may find the settings among what the last one left.
    package mutating func selectBackend(_ address: String) throws(MPinError) {
        try selectBackend(ByteText(address))
    }
}
