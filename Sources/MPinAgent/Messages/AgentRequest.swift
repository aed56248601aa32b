// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
package import MPinPAM
package import MPinWire

/// A module's request to the agent; see `agent.h`.
package struct AgentRequest {
    package let account: ByteText
    package let service: ByteText
    package let remoteHost: ByteText
    package let isAccountPhase: Bool
    package let isSilent: Bool
    package let ignoresUnenrolled: Bool
    package let forwardsPassword: Bool
    /// The small integer that the PAM handle keeps for the account.
    package let memory: Int
    /// The module's facts about its caller, which are only trusted if root sends them.
    package let statedCaller: Caller

    /// Reads a message; nil if it is not a request of this version.
    package init?(_ message: ArraySlice<UInt8>) {
        let head = MemoryLayout<mpin_agent_request>.size
        guard message.count > head else { return nil }
        let fields = unsafe message.withUnsafeBytes { unsafe $0.loadUnaligned(as: mpin_agent_request.self) }
        guard Int(fields.kind) == MPIN_AGENT_REQUEST, Int(fields.version) == MPIN_AGENT_VERSION,
            let texts = Self.texts(message.dropFirst(head), count: 4)
        else { return nil }
        (account, service, remoteHost) = (texts[0], texts[1], texts[2])
        let flags = Int(fields.flags)
        isAccountPhase = flags & MPIN_AGENT_ACCOUNT_PHASE != 0
        isSilent = flags & MPIN_AGENT_SILENT != 0
        ignoresUnenrolled = flags & MPIN_AGENT_IGNORE_UNENROLLED != 0
        forwardsPassword = flags & MPIN_AGENT_FORWARD_PASS != 0
        memory = Int(fields.memory)
        statedCaller = Caller(
            realUID: fields.real_uid, startingUID: UInt32(exactly: fields.starting_uid) ?? fields.real_uid,
            place: UserPlace(kind: UInt32(fields.place), reason: texts[3]),
            controlsProcess: fields.controls_process != 0)
    }

    /// Reads texts, the first of which is not empty, each ended by a NUL, and nothing else.
    static func texts(_ bytes: ArraySlice<UInt8>, count: Int) -> [ByteText]? {
        guard bytes.last == 0 else { return nil }
        let texts = bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false).map { ByteText(Array($0)) }
        guard texts.count == count, !texts[0].isEmpty, texts.allSatisfy({ UTF8Sequence.isWellFormed($0.bytes.span) })
        else { return nil }
        return texts
    }

    /// Whether a message begins like one of a module or of mpin-enroll, but of another version.
    static func isOfOtherVersion(_ message: ArraySlice<UInt8>) -> Bool {
        guard let kind = message.first, let version = message.dropFirst().first else { return false }
        return [MPIN_AGENT_REQUEST, MPIN_AGENT_ACTION].contains(Int(kind)) && Int(version) != MPIN_AGENT_VERSION
    }
}
