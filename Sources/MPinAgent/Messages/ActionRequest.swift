// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
package import MPinWire

/// mpin-enroll's request for an action; see `agent.h`.
package struct ActionRequest {
    package let account: ByteText
    /// Selects one of the account's registrations; nil for its only one.
    package let identity: String?
    package let action: AccountAction

    /// Reads a message; nil if it is not an action of this version.
    package init?(_ message: ArraySlice<UInt8>) {
        let head = MemoryLayout<mpin_agent_action>.size
        guard message.count > head else { return nil }
        let fields = unsafe message.withUnsafeBytes { unsafe $0.loadUnaligned(as: mpin_agent_action.self) }
        guard Int(fields.kind) == MPIN_AGENT_ACTION, Int(fields.version) == MPIN_AGENT_VERSION, fields.zero == 0,
            let texts = AgentRequest.texts(message.dropFirst(head), count: 4),
            let kind = AccountAction.Kind(rawValue: fields.action)
        else { return nil }
        let action = AccountAction(kind, texts[2].string, texts[3].string)
        guard action.isKnown else { return nil }
        (account, self.action) = (texts[0], action)
        identity = texts[1].isEmpty ? nil : texts[1].string
    }

    package static func message(_ action: AccountAction, account: String, identity: String?) -> [UInt8] {
        let head = [MPIN_AGENT_ACTION, MPIN_AGENT_VERSION, Int(action.kind.rawValue), 0].map {
            UInt8(truncatingIfNeeded: $0)
        }
        return head + [account, identity ?? "", action.purpose, action.argument].flatMap { Array($0.utf8) + [0] }
    }
}
