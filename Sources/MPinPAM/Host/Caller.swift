/// What the system says about the process that a login was asked for from.
package struct Caller: Sendable {
    /// The real user id of the process.
    package var realUID: UInt32
    /// The user id the audit system has recorded at login; nil when it has none.
    package var loginUID: UInt32?
    /// The user id of the account that is to log in; nil when there is no such account or nobody can tell.
    package var accountUID: UInt32?
    /// Whether somebody other than root can stop, starve and delay this process at will, as in a set-uid program.
    package var controlsProcess = false
    /// Whether the login session of the process came over the network; nil when nobody can tell.
    package var isRemoteSession: Bool?

    package init(realUID: UInt32, loginUID: UInt32? = nil, accountUID: UInt32? = nil, isRemoteSession: Bool? = nil) {
        self.realUID = realUID
        self.loginUID = loginUID
        self.accountUID = accountUID
        self.isRemoteSession = isRemoteSession
    }
}
