// SPDX-License-Identifier: Apache-2.0
import CMPinSystem

/// A request to mpin-agent to run a command.
struct AgentOrder {
    /// The command, as `agent.h` calls it.
    let command: Int
    /// The options except `--json`.
    var options = 0
    /// The access number, device (number or name), seconds or count of the command.
    var value = ""
    var pins = AgentPINs()
    /// The hint that names the options to use instead of an answer.
    var confirmation = "Add --yes."
    /// Writes the printed text, for a command that takes effect only when the text has arrived.
    var delivery: ((String) throws(CommandFailure) -> Void)?
    /// Prints the lines that the agent printed, in the form for the terminal, which only this process knows.
    var presentation: (([String], CommonOptions) throws(CommandFailure) -> Void)?
    /// The sentence about a failure after the delivery, whose effect is uncertain.
    var doubt: String?
    /// Whether this process shows a countdown until it ends. The agent only sends the seconds.
    var isCountdownWatched = false

    func request(account: String, _ common: CommonOptions) -> [UInt8] {
        let head = [
            MPIN_AGENT_COMMAND, MPIN_AGENT_VERSION, command, options | (common.json ? MPIN_AGENT_JSON : 0),
        ]
        let texts = [account, common.identity ?? "", value]
        return head.map { UInt8(truncatingIfNeeded: $0) } + texts.flatMap { Array($0.utf8) + [0] }
    }
}
