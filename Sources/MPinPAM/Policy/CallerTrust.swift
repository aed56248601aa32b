// SPDX-License-Identifier: Apache-2.0
package import MPinWire

/// Whether the caller is proven to be the owner of the account that is to log in.
package enum CallerTrust: Sendable, Equatable {
    /// A user who already works under this account and may learn the result of the login and its reason.
    case known
    /// Every other caller, who learns only that the login failed.
    case stranger

    /// Classifies the process that calls the module.
    ///
    /// Its real user must be the account that logs in, or if it is set-uid, the user who started it must be: sudo makes
    /// its real user root before it asks. A process of root that asks for root proves nothing at a login prompt or a
    /// greeter, where anyone can sit. Nothing is known about a user who comes over the network.
    package init(_ caller: Caller, service: ByteText, isRemoteHost: Bool) {
        let isOwner = caller.startingUID == caller.accountUID && !isRemoteHost
        let canBeAnyone = caller.startingUID == 0 && ServiceList.greeters.contains(service)
        self = isOwner && !canBeAnyone ? .known : .stranger
    }
}

extension CallerTrust {
    /// The word in the log.
    var name: Constant {
        switch self {
        case .known: "known"
        case .stranger: "stranger"
        }
    }
}
