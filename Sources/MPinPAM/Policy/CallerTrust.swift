package import MPinWire

/// Whether the caller is proven to be the owner of the account that is to log in.
package enum CallerTrust: Sendable, Equatable {
    /// A user who already works under this account: they may learn the result of the login and its reason.
    case known
    /// Every other caller: they learn only that it failed.
    case stranger

    /// Judges the process that calls the module.
    ///
    /// Its real user must be the one who logs in, or the user who started it where it is set-uid: sudo makes its real
    /// user root before it asks. That a process of root's asks for root proves nothing at a login prompt or a greeter,
    /// where anyone can sit; and nothing is known of a user who comes over the network.
    package init(_ caller: Caller, service: ByteText, isRemoteHost: Bool) {
        let isOwner = caller.startingUID == caller.accountUID && !isRemoteHost
        let canBeAnyone = caller.startingUID == 0 && ServiceList.greeters.contains(service)
        self = isOwner && !canBeAnyone ? .known : .stranger
    }
}

extension CallerTrust {
    /// The word for it in the log.
    var name: Constant {
        switch self {
        case .known: "known"
        case .stranger: "stranger"
        }
    }
}
