internal import CMPinSystem
package import MPinWire

/// A command that mpin-enroll has the agent run; see `agent.h`.
package struct CommandRequest {
    /// Whose account it is for.
    package let account: ByteText
    /// The command and its options as mpin-enroll takes them, from a closed list.
    package let words: [ByteText]
    /// Whether it asks for the PIN.
    package let asksForPIN: Bool

    /// The mark by which mpin-enroll knows that it is run for somebody.
    private static var served: ByteText { "--served" }

    /// Reads a message; nil where it is no command of this version.
    package init?(_ message: ArraySlice<UInt8>) {
        let head = MemoryLayout<mpin_agent_command>.size
        guard message.count > head else { return nil }
        let fields = unsafe message.withUnsafeBytes { unsafe $0.loadUnaligned(as: mpin_agent_command.self) }
        guard Int(fields.kind) == MPIN_AGENT_COMMAND, Int(fields.version) == MPIN_AGENT_VERSION,
            let texts = AgentRequest.texts(message.dropFirst(head)),
            let name = Self.name(Int(fields.command)),
            let options = Self.options(Int(fields.options), of: Int(fields.command))
        else { return nil }
        let (identity, number) = (texts[1], texts[2])
        guard number.isEmpty == (Int(fields.command) != MPIN_AGENT_APPROVE) else { return nil }
        account = texts[0]
        asksForPIN = Int(fields.command) != MPIN_AGENT_STATUS
        // One word each, so that no text is taken for an option.
        words =
            [name, Self.served] + options + (identity.isEmpty ? [] : ["--identity=" + identity])
            + (number.isEmpty ? [] : ["--", number])
    }

    private static func name(_ command: Int) -> ByteText? {
        switch command {
        case MPIN_AGENT_STATUS: "status"
        case MPIN_AGENT_TEST: "test"
        case MPIN_AGENT_OTP: "otp"
        case MPIN_AGENT_APPROVE: "approve"
        case MPIN_AGENT_CHANGE_PIN: "change-pin"
        default: nil
        }
    }

    /// The options; nil where there are others than the command has.
    private static func options(_ options: Int, of command: Int) -> [ByteText]? {
        var rest = options
        var words: [ByteText] = []
        func take(_ option: Int, _ word: ByteText) {
            guard rest & option != 0 else { return }
            rest &= ~option
            words.append(word)
        }
        take(MPIN_AGENT_JSON, "--json")
        if command == MPIN_AGENT_STATUS { take(MPIN_AGENT_CHECK, "--check") }
        if command == MPIN_AGENT_APPROVE { take(MPIN_AGENT_LOG_OUT, "--then-log-out") }
        return rest == 0 ? words : nil
    }
}
