import Glibc
import MPinConfiguration

/// A command that mpin-agent runs for those who may not read the store, each for their own account.
protocol AgentCommand: EnrollCommand {
    var order: AgentOrder { get throws(CommandFailure) }
}

extension AgentCommand {
    /// Has the agent run the command.
    ///
    /// - Returns: its exit status; `nil` where there is no agent, or the command is not for the store of this machine.
    func relay() throws(CommandFailure) -> Int32? {
        // Root is asked for nothing that root may not do; and what the agent uses is its own configuration.
        guard geteuid() != 0, common.isOfThisMachine else { return nil }
        let target = try TargetAccount(common)
        guard let call = AgentCall(target.configuration.agentSocket) else { return nil }
        return try call.run(order, for: target.account, common)
    }
}
