package import MPinWire

/// The process and user that called the module, as the system reports them.
package struct Caller: Sendable {
    /// The real user id of the process.
    package var realUID: UInt32
    /// The real user who started this program, where it is set-uid, or who connected to polkit's helper; the real user of
    /// other programs.
    ///
    /// The login uid of the audit system does not serve here: a process that has none yet may write any it likes.
    package var startingUID: UInt32
    /// The user id of the account that is to log in; nil when there is no such account or the system does not know.
    package var accountUID: UInt32?
    /// The account's name as the account database spells it; nil when there is no such account or the system does not
    /// know.
    package var accountName: ByteText?
    /// Whether the login session of the process came over the network; nil when the system does not know.
    package var isRemoteSession: Bool?
    /// Whether a user other than root started this process, which has more rights than that user: the user can stop,
    /// starve and signal it.
    package var controlsProcess: Bool

    /// Whether that user is not the account that is to log in, either: such a call never uses the PIN, because it could
    /// spend the tries of another account.
    package var isAnotherUser: Bool

    package init(
        realUID: UInt32, startingUID: UInt32, accountUID: UInt32? = nil, accountName: ByteText? = nil,
        isRemoteSession: Bool? = nil, controlsProcess: Bool = false, isAnotherUser: Bool = false
    ) {
        self.realUID = realUID
        self.startingUID = startingUID
        self.accountUID = accountUID
        self.accountName = accountName
        self.isRemoteSession = isRemoteSession
        self.controlsProcess = controlsProcess
        self.isAnotherUser = isAnotherUser
    }
}
