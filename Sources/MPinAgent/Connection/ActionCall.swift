// SPDX-License-Identifier: Apache-2.0
internal import CAgent
internal import CMPinSystem
internal import MPinConfiguration
internal import MPinPAM
internal import MPinWire

/// An action for the user at the other end of a connection.
struct ActionCall {
    let connection: Int32
    /// The configuration file; nil for the standard one.
    let configuration: ByteText?

    /// Performs the action for its own user, and sends the result.
    func perform(_ request: ActionRequest, _ caller: Caller) {
        do throws(ActionFailure) { send(MPIN_AGENT_DONE, try result(request, caller)) } catch {
            send(MPIN_AGENT_NOT_DONE, error.fields)
            if error.isWrongGuess { mpin_pause_ns(Self.guessPause) }
        }
    }

    /// How long a worker keeps its user's place after a wrong code or number, in nanoseconds. At a socket, the server
    /// charges guesses to root: a user with all places guesses less often than the server forgives.
    private static let guessPause: Int64 = 20_000_000_000

    private func result(_ request: ActionRequest, _ caller: Caller) throws(ActionFailure) -> ActionFields {
        let settings: Configuration
        do throws(ConfigurationError) {
            settings = try InstalledSystem().configuration(arguments: configuration.map { ["conf=" + $0] } ?? [])
        } catch { throw ActionFailure(.configuration, texts: [error.text.string]) }
        if request.action.asksForPIN, let reason = refusal(settings, caller) {
            throw ActionFailure(.notPermitted, texts: ["mpin-agent takes no PIN: \(reason)."])
        }
        guard let records = try records(request, settings) else {
            throw ActionFailure(
                .configuration, texts: ["user_map has no identity for the account \(request.account.string)."])
        }
        return try AccountActions(records, for: ConnectionCaller(connection: connection)).perform(request.action)
    }

    /// An account is enrolled only with its own identity, whatever the caller names.
    private func records(_ request: ActionRequest, _ settings: Configuration) throws(ActionFailure) -> AccountRecords? {
        guard request.action.kind == .enroll, request.action.purpose == "register" else {
            return AccountRecords(settings, account: request.account.string, identity: request.identity)
        }
        let records = AccountRecords(settings, account: request.account.string)
        if let records, let identity = request.identity, identity != records.identity {
            throw ActionFailure(
                .notPermitted, texts: ["Without sudo, the identity of \(records.account) is \(records.identity)."])
        }
        return records
    }

    /// Why the configuration does not allow the PIN in this session, or nil; otherwise users prove their identity in
    /// another way.
    private func refusal(_ settings: Configuration, _ caller: Caller) -> String? {
        let service: ByteText = "mpin-enroll"
        let locality = Locality(service: service, remoteHost: nil, caller: caller, configuration: settings)
        return MethodRule.refusal(locality, service: service, configuration: settings)?.reason.string
    }

    private func send(_ kind: Int, _ fields: consuming ActionFields) {
        var message = [UInt8(truncatingIfNeeded: kind)] + fields.bytes
        unsafe mpin_agent_send(connection, message, message.count)
        fields.wipe()
        unsafe message.withUnsafeMutableBytes { unsafe mpin_wipe($0.baseAddress, $0.count) }
    }
}
