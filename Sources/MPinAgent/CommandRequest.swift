// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
package import MPinWire

/// A command that mpin-enroll has the agent run; see `agent.h`.
package struct CommandRequest {
    /// The account that the command is for.
    package let account: ByteText
    /// The command, for the log.
    package let name: ByteText
    /// The command and its options in the form that mpin-enroll takes, from a closed list.
    package let words: [ByteText]
    /// Whether the command asks for the PIN.
    package let asksForPIN: Bool

    /// The option that tells mpin-enroll that it runs for another user.
    private static var served: ByteText { "--served" }

    /// Reads a message; nil if it is not a command of this version.
    package init?(_ message: ArraySlice<UInt8>) {
        let head = MemoryLayout<mpin_agent_command>.size
        guard message.count > head else { return nil }
        let fields = unsafe message.withUnsafeBytes { unsafe $0.loadUnaligned(as: mpin_agent_command.self) }
        guard Int(fields.kind) == MPIN_AGENT_COMMAND, Int(fields.version) == MPIN_AGENT_VERSION,
            let texts = AgentRequest.texts(message.dropFirst(head)),
            let name = Self.name(Int(fields.command)),
            let options = Self.options(Int(fields.options), of: Int(fields.command)),
            let value = Self.value(texts[2], of: Int(fields.command))
        else { return nil }
        let identity = texts[1]
        account = texts[0]
        self.name = name.joined()
        asksForPIN = ![MPIN_AGENT_STATUS, MPIN_AGENT_DENY, MPIN_AGENT_SERVER].contains(Int(fields.command))
        // One word each, so that no text can be mistaken for an option.
        words =
            [name[0], Self.served] + name.dropFirst() + options
            + (identity.isEmpty ? [] : ["--identity=" + identity]) + value
    }

    /// The words of a command.
    private static func name(_ command: Int) -> [ByteText]? {
        switch command {
        case MPIN_AGENT_STATUS: ["status"]
        case MPIN_AGENT_TEST: ["test"]
        case MPIN_AGENT_OTP: ["otp"]
        case MPIN_AGENT_APPROVE: ["approve"]
        case MPIN_AGENT_CHANGE_PIN: ["change-pin"]
        case MPIN_AGENT_DENY: ["deny"]
        case MPIN_AGENT_SIGN_OUT: ["logout"]
        case MPIN_AGENT_INVITE: ["invite"]
        case MPIN_AGENT_BACKUP_CODES: ["backup-codes"]
        case MPIN_AGENT_DEVICES: ["devices", "list"]
        case MPIN_AGENT_REVOKE: ["devices", "revoke"]
        case MPIN_AGENT_SERVER: ["server", "show"]
        default: nil
        }
    }

    /// The options; nil if there is one that the command does not have.
    private static func options(_ options: Int, of command: Int) -> [ByteText]? {
        var rest = options
        var words: [ByteText] = []
        func take(_ option: Int, _ word: ByteText) {
            guard rest & option != 0 else { return }
            rest &= ~option
            words.append(word)
        }
        take(MPIN_AGENT_JSON, "--json")
        switch command {
        case MPIN_AGENT_STATUS: take(MPIN_AGENT_CHECK, "--check")
        case MPIN_AGENT_APPROVE: take(MPIN_AGENT_LOG_OUT, "--then-log-out")
        case MPIN_AGENT_SIGN_OUT: take(MPIN_AGENT_ALL, "--all")
        case MPIN_AGENT_BACKUP_CODES: take(MPIN_AGENT_YES, "--yes")
        case MPIN_AGENT_REVOKE:
            take(MPIN_AGENT_YES, "--yes")
            take(MPIN_AGENT_YES_TWICE, "--yes")
        default: break
        }
        return rest == 0 ? words : nil
    }

    /// The words for the value; nil if the command has none, or needs one of another form.
    private static func value(_ text: ByteText, of command: Int) -> [ByteText]? {
        let isNumber =
            1...6 ~= text.count && text.bytes.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        switch command {
        case MPIN_AGENT_APPROVE, MPIN_AGENT_DENY, MPIN_AGENT_REVOKE: return text.isEmpty ? nil : ["--", text]
        case MPIN_AGENT_INVITE where isNumber: return ["--ttl=" + text]
        case MPIN_AGENT_BACKUP_CODES where isNumber: return ["--count=" + text]
        default: return text.isEmpty ? [] : nil
        }
    }
}

extension [ByteText] {
    /// The words, separated by spaces.
    fileprivate func joined() -> ByteText {
        var text = ByteText()
        for word in self {
            if !text.isEmpty { text.append(" ") }
            text.append(contentsOf: word)
        }
        return text
    }
}
