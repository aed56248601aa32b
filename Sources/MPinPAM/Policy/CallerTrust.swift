package import MPinWire

/// How well the system knows the person who wants to log in.
package enum CallerTrust: Sendable, Equatable {
    /// Somebody who works under this account already: they may learn what became of their login and why.
    case known
    /// Anybody else: they learn no more than that it failed.
    case stranger

    /// Judges the process that asks.
    ///
    /// Its real user has to be the one who logs in, or in programs that make somebody else of who is logged in already the
    /// real user who started them: sudo makes its real user root before it asks. That a process of root's asks for root says
    /// nothing where strangers sit in front of a program of root's, at a login prompt, a greeter or the helper of polkit;
    /// and nothing is known of who comes over the network.
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
