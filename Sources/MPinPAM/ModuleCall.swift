// SPDX-License-Identifier: Apache-2.0
internal import MPin
internal import MPinConfiguration
internal import MPinWire

/// The state of one call of one of the module's entry points.
///
/// It is a class because it is passed through all steps of the call and expensive to copy.
final class ModuleCall {
    /// The account that is to log in, as the host names it.
    let account: ByteText
    var service = ByteText()
    var remoteHost: ByteText?
    var caller = Caller(realUID: .max, startingUID: .max)
    private var loaded = Configuration()
    /// Whether the user was asked for something.
    var wasAsked = false
    /// When the work began: at the user's answer, once there is one.
    var started: Int64
    /// The sentence of the failure, if there is one.
    var sentence: Constant?
    /// The message for a user who has logged in, including one who was a stranger before.
    var notice: ByteText?
    var line = LogLine()

    init(account: ByteText, started: Int64) {
        self.account = account
        self.started = started
    }

    /// The configuration, once it is loaded. The getter is not inlined, because code that retains the value in each
    /// place would be longer than a call.
    var configuration: Configuration {
        @inline(never) get { loaded }
        set { loaded = newValue }
    }

    /// Whether the host names a remote host.
    @inline(never)
    var hasRemoteHost: Bool { Locality.isRemote(host: remoteHost) }

    /// Whether the account database has the account under exactly the name that the host gave. A database that ignores
    /// case, or adds domains, has accounts under names without a registration.
    var isNamedExactly: Bool { caller.accountName == account }

    /// The account's own name; the host's name for it if there is no such account.
    @inline(never)
    var accountName: ByteText { caller.accountName ?? account }

    @inline(never)
    var trust: CallerTrust {
        CallerTrust(caller, service: service, isRemoteHost: hasRemoteHost || configuration.isRemoteService(service))
    }

    @inline(never)
    var locality: Locality {
        Locality(
            service: service, remoteHost: remoteHost, isRemoteSession: caller.isRemoteSession,
            configuration: configuration)
    }
}
