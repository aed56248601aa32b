// SPDX-License-Identifier: Apache-2.0
package import MPin
package import MPinWire

// The meaning of the options, each with its own type.
extension Configuration {
    /// The time limit for everything that a login does after the answer to its prompt.
    @inline(never)
    package var timeoutSeconds: Int { value(.timeout).flatMap { Configuration.number($0) } ?? 5 }

    /// How many times one call asks for the PIN if it is mistyped.
    package var tries: Int { value(.tries).flatMap { Configuration.number($0) } ?? 1 }

    /// The agent's socket for processes that may not read the store, or `none`.
    package var agent: ByteText? { value(.agent) }

    /// Whether the last try before a block is protected.
    package var guardLast: Bool { isYes(.guardLast) }

    /// Whether accounts that are not enrolled are skipped (PAM_IGNORE).
    package var ignoreUnenrolled: Bool { isYes(.ignoreUnenrolled) }

    /// Whether programs that their caller can stop and starve report an unreachable server as such too.
    package var reportsUnavailableInSetUID: Bool { value(.unavailableInSetUID)?.matches("report") ?? false }

    /// How accounts are mapped to identities; nil uses the enrolled identity.
    package var userMap: UserMap? { value(.userMap).flatMap { UserMap($0) } }

    package var firstPass: FirstPass { isYes(.useFirstPass) ? .required : isYes(.tryFirstPass) ? .tried : .ignored }

    /// Whether the prompt also takes the password, for the next modules of the stack.
    package var forwardsPassword: Bool { isYes(.forwardPass) }

    package var acceptsRemotePIN: Bool { value(.method) != nil }

    /// Whether the PIN is accepted for sudo and similar programs in remote sessions.
    package var acceptsRemoteSwitch: Bool { value(.sudoOverSSH) != nil }

    /// The fingerprint of the key that the server of the configuration must prove in an enrollment.
    package var serverKey: String? { value(.serverKey)?.string }

    /// Whether additional lines are logged.
    package var debug: Bool { isYes(.debug) }

    /// Whether a program that serves other users takes them from this machine only.
    package func isLocalService(_ service: ByteText) -> Bool {
        for name in Configuration.names(in: value(.localServices) ?? ByteText()) where name == service { return true }
        return false
    }

    /// How to reach the server and verify it.
    package var transport: TransportOptions {
        var options = TransportOptions()
        options.timeoutMilliseconds = timeoutSeconds * 1000
        options.caFileText = value(.caFile)
        if let serverUser = value(.serverUser) { options.serverUserText = serverUser }
        options.tpmDevice = value(.tpmDevice)
        options.tlsPinText = value(.tlsPin)
        options.acceptsOldServer = isYes(.oldServer)
        if value(.tpm)?.matches("auto") ?? false { options.newKey = .tpmIfUsable }
        return options
    }
}
