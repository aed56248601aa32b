package import MPinWire

/// Whether the caller is proven to be the owner of the account that is to log in.
package enum CallerTrust: Sendable, Equatable {
    /// A user who already works under this account: they may learn the result of the login and its reason.
    case known
    /// Every other caller: they learn only that it failed.
    case stranger

    /// Judges the process that calls the module.
    ///
    /// Its real user has to be the one who logs in, or in programs that change a logged-in user to another account the
    /// real user who started them: sudo makes its real user root before it asks. That a process of root's asks for root
    /// says nothing where strangers sit in front of a program of root's, at a login prompt, a greeter or the helper of
    /// polkit; and nothing is known of who comes over the network.
    package init(_ caller: Caller, service: ByteText, isRemoteHost: Bool) {
        self = .stranger
        guard let account = caller.accountUID, !isRemoteHost else { return }
        if caller.startingUID == account && ServiceList.switchers.contains(service) { self = .known }
        let asksStrangers = account == 0 && (ServiceList.greeters.contains(service) || service == "polkit-1")
        if caller.realUID == account && !asksStrangers { self = .known }
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
