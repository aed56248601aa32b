package import MPin
package import MPinWire

// What the options mean, each by its own type.
extension Configuration {
    /// The limit for all a login does after the answer to its prompt.
    @inline(never)
    package var timeoutSeconds: Int { value(.timeout).flatMap { Configuration.number($0) } ?? 5 }

    /// How often the PIN is asked for in one call when it is mistyped.
    package var tries: Int { value(.tries).flatMap { Configuration.number($0) } ?? 1 }

    /// The socket of the agent for processes that may not read the store, or `none`.
    package var agent: ByteText? { value(.agent) }

    /// Whether the last try before a block is protected.
    package var guardLast: Bool { isYes(.guardLast) }

    /// Whether accounts that are not enrolled are passed over (PAM_IGNORE).
    package var ignoreUnenrolled: Bool { isYes(.ignoreUnenrolled) }

    /// Whether an unreachable server is reported as such also by programs that their caller can stop and starve.
    package var reportsUnavailableInSetUID: Bool { value(.unavailableInSetUID)?.matches("report") ?? false }

    /// How accounts are turned into identities; nil takes what is enrolled.
    package var userMap: UserMap? { value(.userMap).flatMap { UserMap($0) } }

    package var firstPass: FirstPass {
        isYes(.useFirstPass) ? .required : isYes(.tryFirstPass) ? .tried : .ignored
    }

    /// How people prove who they are; nil decides by where they are.
    package var method: LoginMethod? { value(.method).flatMap { LoginMethod(name: $0) } }

    /// The method for sudo in a remote session; nil for that of other remote logins.
    package var sudoOverSSH: LoginMethod? { value(.sudoOverSSH).flatMap { LoginMethod(name: $0) } }

    /// What a login counts as where the system does not know whether it is remote.
    package var undetermined: Locality { value(.undetermined).flatMap { Locality(name: $0) } ?? .local }

    /// Whether more is logged.
    package var debug: Bool { isYes(.debug) }

    /// Whether the people of a service are remote in any case.
    package func isRemoteService(_ service: ByteText) -> Bool {
        for name in Configuration.names(in: value(.remoteServices) ?? ByteText()) where name == service { return true }
        return false
    }

    /// How the server is reached and recognized.
    package var transport: TransportOptions {
        var options = TransportOptions()
        options.timeoutMilliseconds = timeoutSeconds * 1000
        options.caFileText = value(.caFile)
        if let serverUser = value(.serverUser) { options.serverUserText = serverUser }
        options.tpmDevice = value(.tpmDevice)
        #if !hasFeature(Embedded)
        if value(.tpm)?.matches("auto") ?? false { options.newKey = .tpmIfUsable }
        #endif
        return options
    }
}
