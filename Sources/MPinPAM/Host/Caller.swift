// SPDX-License-Identifier: Apache-2.0
package import CMPinSystem
package import MPinWire

/// The process and user that called the module, as the system reports them.
package struct Caller: Sendable {
    package var realUID: UInt32
    /// The real user who started this program, if it is set-uid, or who connected to polkit's helper; for other
    /// programs the real user.
    ///
    /// The login UID of the audit system cannot be used: a process that has none yet may set any.
    package var startingUID: UInt32
    /// The user ID of the account that is to log in; nil if there is no such account or the system does not know it.
    package var accountUID: UInt32?
    /// The account's name as the account database spells it; nil if there is no such account or the system does not
    /// know it.
    package var accountName: ByteText?
    package var place: UserPlace
    /// Whether a user other than root started this process, which has more rights than that user. The user can stop,
    /// starve and signal it.
    package var controlsProcess: Bool

    /// Whether that user is also not the account that is to log in. Such a call never uses the PIN, because it could
    /// use up the tries of another account.
    package var isAnotherUser: Bool

    package init(
        realUID: UInt32, startingUID: UInt32, accountUID: UInt32? = nil, accountName: ByteText? = nil,
        place: UserPlace, controlsProcess: Bool = false, isAnotherUser: Bool = false
    ) {
        (self.realUID, self.startingUID, self.accountUID) = (realUID, startingUID, accountUID)
        (self.accountName, self.place, self.controlsProcess) = (accountName, place, controlsProcess)
        self.isAnotherUser = isAnotherUser
    }

    /// Whether the process acts for its own user. A process of root can serve any user, root included.
    var isOwner: Bool { startingUID == accountUID && startingUID != 0 }
}

/// Where the user of a process is, by the login sessions of the system.
package enum UserPlace: Sendable {
    case local
    /// Not known to be at this machine, with the reason as a clause.
    case remote(reason: ByteText)
    /// In no session, as daemons are, with that as a clause.
    case outside(reason: ByteText)
}

extension UserPlace {
    /// Converts what `mpin_place_of` has found.
    package init(_ place: mpin_place) {
        let reason = unsafe withUnsafeBytes(of: place.reason) { bytes in
            unsafe ByteText(Array(bytes.prefix { $0 != 0 }))
        }
        self.init(kind: place.kind.rawValue, reason: reason)
    }

    /// An unknown kind is remote.
    package init(kind: UInt32, reason: ByteText) {
        switch kind {
        case MPIN_PLACE_LOCAL.rawValue: self = .local
        case MPIN_PLACE_OUTSIDE.rawValue: self = .outside(reason: reason)
        default: self = .remote(reason: reason)
        }
    }
}

/// Whether the caller is proven to be the owner of the account that is to log in.
package enum CallerTrust: Constant, Sendable {
    /// A user who already works under this account and may learn the result of the login and its reason.
    case known
    /// Every other caller, who learns only that the login failed.
    case stranger

    /// Classifies the process that calls the module.
    ///
    /// Its real user must be the account that logs in, or if it is set-uid, the user who started it must be: such a
    /// program may make its real user root before it asks. A process of root that asks for root proves nothing at a
    /// login prompt or a greeter, where anyone can sit. Nothing is known about a user who comes over the network.
    package init(_ caller: Caller, service: ByteText, isRemoteHost: Bool) {
        let isOwner = caller.startingUID == caller.accountUID && !isRemoteHost
        let canBeAnyone = caller.startingUID == 0 && ServiceList.greeters.contains(service)
        self = isOwner && !canBeAnyone ? .known : .stranger
    }
}
