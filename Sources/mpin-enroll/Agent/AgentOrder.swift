import CMPinSystem

/// What a command has to say to mpin-agent to be run there.
struct AgentOrder {
    /// The command, as `agent.h` calls it.
    let command: Int
    /// Its options but `--json`.
    var options = 0
    /// The access number, device, seconds or count, as the command has one.
    var value = ""
    var pins = AgentPINs()
    /// The options that stand in for the answer to a question.
    var confirmation = "Add --yes."
    /// Writes what has been printed, where nothing is in force until that has arrived.
    var delivery: ((String) throws(CommandFailure) -> Void)?
    /// What a failure after that leaves in doubt.
    var doubt: String?
    /// Whether this process shows a countdown until it ends. The agent only sends the seconds.
    var isCountdownWatched = false

    /// The message.
    func request(account: String, _ common: CommonOptions) -> [UInt8] {
        let head = [
            MPIN_AGENT_COMMAND, MPIN_AGENT_VERSION, command, options | (common.json ? MPIN_AGENT_JSON : 0),
        ]
        let texts = [account, common.identity ?? "", value]
        return head.map { UInt8(truncatingIfNeeded: $0) } + texts.flatMap { Array($0.utf8) + [0] }
    }
}
