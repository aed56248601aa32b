internal import MPin
internal import MPinWire

/// What is known of one call to the module.
struct Call {
    let account: Text
    var service = Text()
    var remoteHost: Text?
    var caller = Caller(realUID: UInt32.max)
    var configuration = Configuration()
    /// Whether the person was asked for something.
    var wasAsked = false
    /// When the work began: at the answer of the person, once there is one.
    var started: Int64
    var line = LogLine()

    init(account: Text, started: Int64) {
        self.account = account
        self.started = started
    }

    /// Whether a host is named that is not this machine.
    var hasRemoteHost: Bool { Whereabouts.isRemote(host: remoteHost) }

    var standing: Standing { Standing(caller, service: service, isRemoteHost: hasRemoteHost) }

    var locality: Locality {
        Whereabouts.judge(
            service: service, remoteHost: remoteHost, isRemoteSession: caller.isRemoteSession,
            configuration: configuration)
    }
}
