// SPDX-License-Identifier: Apache-2.0
internal import CAgent
internal import CMPinSystem
internal import MPin
internal import MPinPAM
internal import MPinWire

/// The host program at the other end of a connection.
struct ConnectionHost: Host {
    private let connection: Int32
    private let request: AgentRequest
    private let caller: Caller
    /// The user at the other end, whose program has only claimed service and remote host; nil for root's programs.
    private let claimant: UInt32?
    /// The integer that the PAM handle stores for the account.
    private(set) var memory: Int
    /// Whether the module's last answer is a password for the next modules of its stack.
    private(set) var forwardsAnswer = false

    /// - Parameters:
    ///   - caller: the trusted facts about the caller; the account's own facts are looked up here.
    ///   - claimant: the user at the other end, unless that is root.
    init(connection: Int32, request: AgentRequest, caller: Caller, claimant: UInt32?) {
        (self.connection, self.request, self.caller, self.claimant) = (connection, request, caller, claimant)
        memory = request.memory
    }

    func userName() -> ByteText? { request.account }

    func service() -> ByteText { request.service }

    func remoteHost() -> ByteText? { request.remoteHost }

    func ask(_ prompt: ByteText, into pin: inout PIN) -> PromptAnswer {
        let content = Array(prompt.bytes.prefix(MPIN_AGENT_LONGEST_MESSAGE - 1))
        switch ConnectionCaller.ask(connection, MPIN_AGENT_PROMPT, content, into: &pin) {
        case MPIN_AGENT_TEXT: return .text
        case MPIN_AGENT_EMPTY: return .empty
        case MPIN_AGENT_TOO_LONG: return .tooLong
        default: return .failed
        }
    }

    /// A password that the module's stack has collected is never passed on to the agent.
    func firstPass(into pin: inout PIN) -> PromptAnswer { .failed }

    func tell(_ text: ByteText, isError: Bool) {
        let message = Self.message(isError ? MPIN_AGENT_ERROR : MPIN_AGENT_INFO, text)
        unsafe mpin_agent_send(connection, message, message.count)
    }

    var isSilent: Bool { request.isSilent }

    var wantsAgedOnly: Bool { false }

    /// Any program of a user can claim to be sshd, so the line names the user who claims it.
    func log(_ line: ByteText, _ level: LogLevel) {
        var line = line
        if let claimant {
            line.append(" claimed=service,rhost uid=")
            line.append(decimal: Int(claimant))
        }
        unsafe mpin_agent_log(level.rawValue, line.cString)
    }

    /// The module requests its delay itself: only its host can make it.
    func requestDelay(microseconds: UInt32) {}

    func caller(about account: ByteText) -> Caller {
        var caller = caller
        if let (user, name) = AccountEntry.find(account) { (caller.accountUID, caller.accountName) = (user, name) }
        return caller
    }

    func correlation() -> UInt32 { UInt32.random(in: 0...UInt32.max) }

    func memory(of account: ByteText) -> Int { memory }

    mutating func setMemory(_ value: Int, of account: ByteText) { memory = value }

    /// The module keeps the answer until the result.
    mutating func forward(_ password: borrowing PIN) { forwardsAnswer = true }

    /// A module cannot request a change of the PIN.
    func keep(_ pin: consuming PIN) {}

    func takeKept() -> PIN? { nil }

    /// There is no second agent behind this one.
    func askAgent(
        at path: ByteText, isAccountPhase: Bool, ignoresUnenrolled: Bool, forwardsPassword: Bool
    ) -> AgentAnswer { .absent }

    /// A message with a text, which is cut if it is too long.
    private static func message(_ kind: Int, _ text: ByteText) -> [UInt8] {
        [UInt8(truncatingIfNeeded: kind)] + text.bytes.prefix(MPIN_AGENT_LONGEST_MESSAGE - 1)
    }
}

enum AccountEntry {
    /// The user ID of an account, and its name as the database spells it; nil if there is no such account.
    static func find(_ name: ByteText) -> (user: UInt32, name: ByteText)? {
        var own = [CChar](repeating: 0, count: 256)
        let found = unsafe mpin_account_find(name.cString, &own, own.count)
        return unsafe UInt32(exactly: found).map { unsafe ($0, ByteText(cString: own)) }
    }
}
