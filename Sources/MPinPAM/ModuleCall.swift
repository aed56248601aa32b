internal import MPin
internal import MPinConfiguration
internal import MPinWire

/// The state of one call of one of the module's entry points.
///
/// A class because it is handed through all steps of the call, and long to copy.
final class ModuleCall {
    /// Who is to log in, as the host names them.
    let account: ByteText
    var service = ByteText()
    var remoteHost: ByteText?
    var caller = Caller(realUID: .max, startingUID: .max)
    private var loaded = Configuration()
    /// Whether the person was asked for something.
    var wasAsked = false
    /// When the work began: at the answer of the person, once there is one.
    var started: Int64
    /// The sentence of the failure, where there is one.
    var sentence: Constant?
    /// What a user who has logged in is told, also one who counted as a stranger before.
    var notice: ByteText?
    var line = LogLine()

    init(account: ByteText, started: Int64) {
        self.account = account
        self.started = started
    }

    /// The configuration, once it is loaded; read by a call of its own, because each place that keeps it alive itself is
    /// longer than that.
    var configuration: Configuration {
        @inline(never) get { loaded }
        set { loaded = newValue }
    }

    /// Whether a host is named that is not this machine.
    @inline(never)
    var hasRemoteHost: Bool { Locality.isRemote(host: remoteHost) }

    /// Whether the account database has the account by the very name the host gave. One that ignores case, or adds
    /// domains, has accounts by names without a registration.
    var isNamedExactly: Bool { caller.accountName == account }

    /// The account's own name; as the host named it where there is no such account.
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
