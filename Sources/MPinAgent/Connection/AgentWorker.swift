// SPDX-License-Identifier: Apache-2.0
internal import CAgent
internal import CMPinSystem
internal import MPin
internal import MPinPAM
package import MPinWire

/// The process that makes one call, or performs one action, for one connection.
///
/// It is a separate process so that any failure in a call ends with it, and so that the module's decisions, which are
/// made for a host that asks about one account, need not consider other connections.
package struct AgentWorker {
    private let connection = CInt(MPIN_AGENT_WORKER_SOCKET)
    /// The configuration file; nil for the standard one.
    private let configuration: ByteText?
    /// Whether the log gets no line about a refused request, because the listener counts those.
    private let isSilent: Bool

    package init(configuration: ByteText?, isSilent: Bool) {
        (self.configuration, self.isSilent) = (configuration, isSilent)
    }

    /// The longest life of a worker, in seconds: every prompt and everything after it.
    private static var lifetime: UInt32 { 900 }

    /// How long to wait for the request, in milliseconds.
    private static var patience: Int32 { 5000 }

    /// - Returns: whether it was accepted.
    package func serve() -> Bool {
        mpin_agent_begin_worker(Self.lifetime)
        _ = mpin_process_deny_dumps()
        var peer = mpin_agent_peer()
        guard unsafe mpin_agent_peer_of(connection, &peer) == 0 else { return true }
        let message = receive()
        if let request = ActionRequest(message) { return perform(request, peer) }
        if let request = AgentRequest(message) { return logIn(request, peer) }
        if AgentRequest.isOfOtherVersion(message) { tellVersion() }
        return refuse(peer, account: nil, "its request is malformed")
    }

    /// The first message; empty if none arrives in time.
    private func receive() -> ArraySlice<UInt8> {
        var bytes = [UInt8](repeating: 0, count: MPIN_AGENT_LONGEST_MESSAGE)
        let count = unsafe bytes.withUnsafeMutableBytes {
            unsafe mpin_agent_receive(connection, $0.baseAddress, $0.count, Self.patience)
        }
        return bytes[0..<max(0, min(count, bytes.count))]
    }

    /// Names the reason to a program that was started before an upgrade, or after it.
    private func tellVersion() {
        let text: ByteText =
            "This program and mpin-agent have different versions. Restart this program, or mpin-agent: "
            + "sudo systemctl restart mpin-agent.socket"
        let message = [UInt8(truncatingIfNeeded: MPIN_AGENT_ERROR)] + text.bytes
        unsafe mpin_agent_send(connection, message, message.count)
    }

    // MARK: Actions of mpin-enroll

    /// Root reads the store itself, and a program that asks with root's rights for another user must not act here.
    private func perform(_ request: ActionRequest, _ peer: mpin_agent_peer) -> Bool {
        guard peer.uid != 0, let account = AccountEntry.find(request.account), account.user == peer.uid,
            account.name == request.account
        else { return refuse(peer, account: request.account, "it requests an action for another user's account") }
        let caller = caller(peer)
        guard isStillThere(peer) else { return true }
        log(peer, request.account, [" action=", ByteText(request.action.name)], .note)
        ActionCall(connection: connection, configuration: configuration).perform(request, caller)
        return true
    }

    // MARK: Logins

    private func logIn(_ request: AgentRequest, _ peer: mpin_agent_peer) -> Bool {
        guard let caller = caller(peer, request) else {
            send(.authError, memory: request.memory, forwardsAnswer: false)
            return refuse(peer, account: request.account, "it requests a login to another user's account")
        }
        guard isStillThere(peer) else { return true }
        call(request, caller, claimant: peer.uid == 0 ? nil : peer.uid)
        return true
    }

    /// The caller; nil for a user who requests another user's account.
    ///
    /// The kernel names the effective user of a peer, so a set-uid program is root here: the facts that root's programs
    /// report about their caller are trusted. Every other peer is its own caller, who controls it.
    private func caller(_ peer: mpin_agent_peer, _ request: AgentRequest) -> Caller? {
        if peer.uid == 0 { return request.statedCaller }
        guard AccountEntry.find(request.account)?.user == peer.uid else { return nil }
        return caller(peer)
    }

    /// A user's program as its own caller.
    private func caller(_ peer: mpin_agent_peer) -> Caller {
        // A process of another PID namespace has no ID here.
        let place =
            peer.pid > 0
            ? UserPlace(mpin_place_of(peer.pid, Int64(peer.uid))) : .remote(reason: "it runs in another PID namespace")
        return Caller(
            realUID: peer.uid, startingUID: peer.uid, accountUID: peer.uid, place: place, controlsProcess: true)
    }

    /// Whether the peer still runs. Otherwise the session just read could belong to a process that has reused its ID.
    private func isStillThere(_ peer: mpin_agent_peer) -> Bool {
        var peer = peer
        return unsafe mpin_agent_peer_of(connection, &peer) == 0
    }

    private func call(_ request: AgentRequest, _ caller: Caller, claimant: UInt32?) {
        var arguments: [ByteText] = []
        if let configuration { arguments.append("conf=" + configuration) }
        if request.ignoresUnenrolled { arguments.append("ignore_unenrolled") }
        if request.forwardsPassword { arguments.append("forward_pass") }
        var module = Module(
            host: ConnectionHost(connection: connection, request: request, caller: caller, claimant: claimant),
            system: InstalledSystem(), arguments: arguments)
        let code = request.isAccountPhase ? module.account() : module.authenticate()
        send(code, memory: module.host.memory, forwardsAnswer: module.host.forwardsAnswer)
    }

    private func send(_ code: ReturnCode, memory: Int, forwardsAnswer: Bool) {
        let result = [
            UInt8(truncatingIfNeeded: MPIN_AGENT_RESULT), code.rawValue, UInt8(truncatingIfNeeded: memory),
            forwardsAnswer ? 1 : 0,
        ]
        unsafe mpin_agent_send(connection, result, result.count)
    }

    private func refuse(_ peer: mpin_agent_peer, account: ByteText?, _ reason: Constant) -> Bool {
        if !isSilent { log(peer, account, [" result=REFUSED reason=\"", reason.text, "\""], .refusal) }
        return false
    }

    private func log(_ peer: mpin_agent_peer, _ account: ByteText?, _ parts: [ByteText], _ level: LogLevel) {
        var line: ByteText = "uid="
        line.append(decimal: Int(peer.uid))
        // A name that no account has may be a password.
        line.append(" user=")
        line.append(contentsOf: account.flatMap { AccountEntry.find($0)?.name } ?? "?")
        for part in parts { line.append(contentsOf: part) }
        unsafe mpin_agent_log(level.rawValue, line.cString)
    }
}
