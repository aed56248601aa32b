// SPDX-License-Identifier: Apache-2.0
import CAgent
import CMPinSystem
import Console
import Glibc
import MPin
import MPinAgent
import MPinConfiguration

/// A connection to mpin-agent, which performs one action for this process, because it cannot read the store.
struct AgentCall: ~Copyable {
    private let connection: Int32

    /// Whether the agent has performed an action, so that hints for the same user need no sudo.
    static var isUsed: Bool { unsafe hasConnected }
    nonisolated(unsafe) private static var hasConnected = false

    /// Connects to the agent; `nil` if there is none, or if this process or its options are not for the agent: root
    /// needs none, and the agent has its own configuration.
    init?(_ target: TargetAccount, _ options: CommonOptions) {
        guard geteuid() != 0, options.isOfThisMachine else { return nil }
        let opened = unsafe mpin_agent_connect(target.configuration.agentSocket)
        guard opened >= 0 else { return nil }
        connection = opened
        unsafe AgentCall.hasConnected = true
    }

    deinit { close(connection) }

    /// The longest silence of the agent, in milliseconds: the lifetime that it gives a worker.
    private static var patience: Int32 { 900_000 }

    consuming func perform(
        _ action: AccountAction, _ target: TargetAccount, _ dialog: PINDialog
    ) throws(CommandFailure) -> ActionFields {
        let request = ActionRequest.message(
            action, account: target.account, identity: target.records.isNamed ? target.identity : nil)
        guard request.count <= MPIN_AGENT_LONGEST_MESSAGE else { throw AgentCall.tooLong(request.count) }
        // A failed send needs no check: the next receive fails too.
        _ = unsafe mpin_agent_send(connection, request, request.count)
        var bytes = [UInt8](repeating: 0, count: MPIN_AGENT_LONGEST_RESULT)
        defer { unsafe bytes.withUnsafeMutableBytes { unsafe mpin_wipe($0.baseAddress, $0.count) } }
        var isAnswered = false
        while true {
            // The agent waits for the server meanwhile, and has no terminal.
            ProgressNotice.watch(1)
            let count = unsafe bytes.withUnsafeMutableBytes {
                unsafe mpin_agent_receive(connection, $0.baseAddress, $0.count, AgentCall.patience)
            }
            ProgressNotice.watch(0)
            guard count > 0 else { throw isAnswered ? AgentCall.ended : AgentCall.silent }
            isAnswered = true
            var fields = ActionFields(Array(bytes[1..<count]))
            switch Int(bytes[0]) {
            case MPIN_AGENT_QUESTION:
                guard let question = ActionQuestion(&fields) else { throw AgentCall.senseless }
                let answer = try dialog.answer(question)
                answer.withBytes { bytes in
                    _ = unsafe bytes.withUnsafeBufferPointer {
                        unsafe mpin_agent_answer(connection, $0.baseAddress, $0.count)
                    }
                }
            case MPIN_AGENT_DONE: return fields
            case MPIN_AGENT_NOT_DONE:
                guard let failure = ActionFailure(&fields) else { throw AgentCall.senseless }
                throw dialog.completed(CommandFailure(failure, for: target))
            case MPIN_AGENT_ERROR: throw AgentCall.refused(String(decoding: bytes[1..<count], as: UTF8.self))
            default: throw AgentCall.senseless
            }
        }
    }

    // MARK: Failures

    /// A refusal of the agent before the action. Its message ends with its own hint.
    private static func refused(_ text: String) -> CommandFailure { CommandFailure(.tryLater, "AGENT_ERROR", text) }

    /// A request that is too long for a message. Only the identity has no limit of its own.
    private static func tooLong(_ count: Int) -> CommandFailure {
        CommandFailure(
            .badInput, "BAD_INPUT",
            "--identity is too long: mpin-agent accepts \(MPIN_AGENT_LONGEST_MESSAGE) bytes in all, and this request "
                + "has \(count).", advice: Advice("List the identities", "list"))
    }

    private static var silent: CommandFailure {
        CommandFailure(
            .tryLater, "AGENT_ERROR", "mpin-agent did not answer. It may have another version than mpin-enroll.",
            advice: Advice("Restart it: sudo systemctl restart mpin-agent.socket").adding(.useSudo))
    }

    private static var ended: CommandFailure {
        CommandFailure(
            .tryLater, "AGENT_ERROR", "mpin-agent ended before the command did.",
            advice: Advice("Check what was done", "status"))
    }

    /// The failure for an unknown answer, as from an agent of another version.
    static var senseless: CommandFailure {
        CommandFailure(.protocolFault, "AGENT_ERROR", "mpin-agent sent an invalid answer.", advice: Advice.useSudo)
    }
}
