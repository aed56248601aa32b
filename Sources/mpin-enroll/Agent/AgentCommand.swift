// SPDX-License-Identifier: Apache-2.0
import Glibc
import MPinConfiguration

/// A command that mpin-agent runs for users who may not read the store, each for their own account.
protocol AgentCommand: EnrollCommand {
    var order: AgentOrder { get throws(CommandFailure) }
}

extension AgentCommand {
    /// Has the agent run the command.
    ///
    /// - Returns: the exit status; `nil` if there is no agent, or the command is not for this machine's store.
    func relay() throws(CommandFailure) -> Int32? {
        // Root needs no agent. Other configurations cannot be used, because the agent has its own.
        guard geteuid() != 0, common.isOfThisMachine else { return nil }
        let target = try TargetAccount(common)
        guard let call = AgentCall(target.configuration.agentSocket) else { return nil }
        return try call.run(order, for: target.account, common)
    }
}
