// SPDX-License-Identifier: Apache-2.0
import CAgent
import CMPinSystem
import Console
import Glibc
import MPin

/// A command that mpin-agent runs for this process, which cannot read the store.
struct AgentCall: ~Copyable {
    private let connection: Int32

    /// Connects to the agent; `nil` if there is none.
    init?(_ path: String) {
        let opened = unsafe mpin_agent_connect(path)
        guard opened >= 0 else { return nil }
        connection = opened
    }

    deinit { close(connection) }

    /// The longest silence of the agent, in milliseconds: the lifetime that it gives a command.
    private static var patience: Int32 { 900_000 }

    /// Has the agent run a command, and shows its output.
    ///
    /// - Returns: its exit status.
    borrowing func run(
        _ order: AgentOrder, for account: String, _ common: CommonOptions
    ) throws(CommandFailure) -> Int32 {
        var delivery = order.delivery
        let status: Int32
        do throws(CommandFailure) {
            status = try run(order, order.request(account: account, common), common, &delivery)
        } catch {
            guard order.delivery != nil, delivery == nil else { throw error }
            // The codes on standard output are the beginning of the object.
            throw order.doubt.map { error.adding($0) } ?? error.continued(common.json)
        }
        if status != 0, delivery == nil, let doubt = order.doubt { Terminal.say(doubt) }
        return status
    }

    /// - Parameter delivery: called once with all printed text, and then set to `nil`.
    private borrowing func run(
        _ order: AgentOrder, _ request: [UInt8], _ common: CommonOptions,
        _ delivery: inout ((String) throws(CommandFailure) -> Void)?
    ) throws(CommandFailure) -> Int32 {
        guard request.count <= MPIN_AGENT_LONGEST_MESSAGE else { throw AgentCall.tooLong(request.count) }
        // A failed send needs no check: the next receive fails too.
        _ = unsafe mpin_agent_send(connection, request, request.count)
        var bytes = [UInt8](repeating: 0, count: MPIN_AGENT_LONGEST_MESSAGE)
        var refusal: String?
        var printed: [UInt8] = []
        while true {
            let count = unsafe bytes.withUnsafeMutableBytes {
                unsafe mpin_agent_receive(connection, $0.baseAddress, $0.count, AgentCall.patience)
            }
            guard count > 0 else {
                if let refusal { throw AgentCall.refused(refusal, .tryLater) }
                throw AgentCall.ended
            }
            let content = bytes[1..<count]
            let text = String(decoding: content, as: UTF8.self)
            switch Int(bytes[0]) {
            case MPIN_AGENT_PROMPT: answer(try order.pins.current(text))
            case MPIN_AGENT_NEW_PROMPT: answer(try order.pins.new(text))
            case MPIN_AGENT_NOTE: Terminal.show(text)
            case MPIN_AGENT_OUTPUT:
                if delivery == nil, order.presentation == nil {
                    try StandardOutput.write(content)
                } else {
                    printed += content
                }
            case MPIN_AGENT_DELIVER:
                guard let deliver = delivery else { throw AgentCall.senseless }
                try deliver(String(decoding: printed, as: UTF8.self))
                delivery = nil
                confirm()
            case MPIN_AGENT_QUESTION: if try isConfirmed(text, order, common) { confirm() } else { decline() }
            case MPIN_AGENT_COUNTDOWN:
                ProgressNotice.endQuietly()
                Countdown(seconds: Int(text) ?? 0, isWatched: order.isCountdownWatched).show()
            case MPIN_AGENT_PAUSE:
                Terminal.waitForEnter()
                decline()
            case MPIN_AGENT_ERROR: refusal = text
            case MPIN_AGENT_EXIT:
                let status = content.first.map { Int32($0) } ?? ExitStatus.internalFault.rawValue
                // A command that fails prints neither the text to deliver nor the lines to present.
                let isUndelivered = delivery != nil || (order.presentation != nil && status != 0)
                if isUndelivered { try StandardOutput.write(printed) }
                if let present = order.presentation, status == 0 {
                    try present(
                        String(decoding: printed, as: UTF8.self).split(separator: "\n").map(String.init), common)
                }
                if let refusal { throw AgentCall.refused(refusal, ExitStatus(rawValue: status) ?? .internalFault) }
                return status
            default: throw AgentCall.senseless
            }
        }
    }

    private borrowing func answer(_ pin: NewPIN) {
        pin.withPIN { pin in
            pin.withBytes { bytes in
                _ = unsafe bytes.withUnsafeBufferPointer {
                    unsafe mpin_agent_answer(connection, $0.baseAddress, $0.count)
                }
            }
        }
    }

    // MARK: Questions

    private borrowing func confirm() {
        let yes = Array("y".utf8)
        _ = unsafe mpin_agent_answer(connection, yes, yes.count)
    }

    /// Answers as with Enter alone.
    private borrowing func decline() { _ = mpin_agent_answer(connection, nil, 0) }

    /// Whether the user answers yes.
    private func isConfirmed(
        _ question: String, _ order: AgentOrder, _ common: CommonOptions
    ) throws(CommandFailure) -> Bool {
        guard common.mayAsk, let terminal = Terminal() else {
            throw CommandFailure(
                .inputNeeded, "INPUT_NEEDED", "This needs confirmation: \(question)",
                advice: Advice(order.confirmation))
        }
        return terminal.confirms(question)
    }

    // MARK: Failures

    /// A refusal of the agent itself, with its message.
    private static func refused(_ text: String, _ status: ExitStatus) -> CommandFailure {
        let code =
            switch status {
            case .notPermitted: "NOT_PERMITTED"
            case .configuration: "CONFIGURATION"
            default: "AGENT_ERROR"
            }
        // The message of a busy agent ends with its own hint.
        return CommandFailure(status, code, text, advice: status == .tryLater ? nil : Advice.useSudo)
    }

    /// A request that is too long for a message. Only the identity has no limit of its own.
    private static func tooLong(_ count: Int) -> CommandFailure {
        CommandFailure(
            .badInput, "BAD_INPUT",
            "--identity is too long: mpin-agent accepts \(MPIN_AGENT_LONGEST_MESSAGE) bytes in all, and this request "
                + "has \(count).", advice: Advice("List the identities", "list"))
    }

    private static var ended: CommandFailure {
        CommandFailure(
            .tryLater, "AGENT_ERROR", "mpin-agent ended before the command did.",
            advice: Advice("Check what was done", "status"))
    }

    /// The failure for an unknown answer, as from an agent of another version.
    static var senseless: CommandFailure {
        CommandFailure(
            .protocolFault, "AGENT_ERROR", "mpin-agent sent an invalid answer.", advice: Advice.useSudo)
    }
}
