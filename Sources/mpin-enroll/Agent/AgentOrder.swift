import CMPinSystem

/// What a command has to say to mpin-agent to be run there.
struct AgentOrder {
    /// The command, as `agent.h` calls it.
    let command: Int
    /// Its options but `--json`.
    var options = 0
    var number = ""
    var pins = AgentPINs()

    /// The message.
    func request(account: String, _ common: CommonOptions) -> [UInt8] {
        let head = [
            MPIN_AGENT_COMMAND, MPIN_AGENT_VERSION, command, options | (common.json ? MPIN_AGENT_JSON : 0),
        ]
        let texts = [account, common.identity ?? "", number]
        return head.map { UInt8(truncatingIfNeeded: $0) } + texts.flatMap { Array($0.utf8) + [0] }
    }
}
