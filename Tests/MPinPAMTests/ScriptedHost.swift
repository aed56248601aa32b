// SPDX-License-Identifier: Apache-2.0
import MPin
import MPinPAM
import MPinWire

/// A host that reads its answers from a scenario and records all messages.
struct ScriptedHost: Host {
    let script: Script

    func userName() -> ByteText? { script.settings.user.map { ByteText($0) } }

    func service() -> ByteText { ByteText(script.settings.service) }

    func remoteHost() -> ByteText? { script.settings.remoteHost.map { ByteText($0) } }

    func ask(_ prompt: ByteText, into pin: inout PIN) -> PromptAnswer {
        script.event("prompt \(prompt.string)|")
        guard !script.answers.isEmpty else {
            script.event("answer missing")
            return .failed
        }
        script.clock += script.typingTime
        return give(script.answers.removeFirst(), to: &pin)
    }

    func firstPass(into pin: inout PIN) -> PromptAnswer {
        script.event("first-pass")
        return give(script.settings.firstPass, to: &pin)
    }

    private func give(_ answer: String?, to pin: inout PIN) -> PromptAnswer {
        pin.wipe()
        guard let answer else { return .failed }
        guard !answer.isEmpty else { return .empty }
        let bytes = Array(answer.utf8)
        guard bytes.count <= PIN.longest else { return .tooLong }
        pin.fill(count: bytes.count) { target in
            for index in target.indices { target[index] = bytes[index] }
        }
        return .text
    }

    func tell(_ text: ByteText, isError: Bool) {
        script.event("\(isError ? "error" : "info") \(text.string.replacing("\n", with: "\\n"))")
    }

    var isSilent: Bool { script.settings.isSilent }

    var wantsAgedOnly: Bool { script.settings.wantsAgedOnly }

    func log(_ line: ByteText, _ level: LogLevel) { script.event("log \(level) \(line.string)") }

    func requestDelay(microseconds: UInt32) { script.event("delay \(microseconds)") }

    func caller(about account: ByteText) -> Caller {
        var caller = script.settings.caller
        // Spelled as it was asked for, unless the scenario says otherwise.
        if caller.accountUID != nil && caller.accountName == nil { caller.accountName = account }
        return caller
    }

    func machineName() -> ByteText { "laptop" }

    func correlation() -> UInt32 { 0x0C0F_FEE0 }

    func milliseconds() -> Int64 { script.clock }

    func wait(until milliseconds: Int64) {
        script.event("wait \(milliseconds - script.clock)")
        script.clock = max(script.clock, milliseconds)
    }

    func memory(of account: ByteText) -> Int { script.memory[account.string] ?? 0 }

    func setMemory(_ value: Int, of account: ByteText) { script.memory[account.string] = value }

    func forward(_ password: borrowing PIN) { script.event("forward \(password.count)") }

    func keep(_ pin: consuming PIN) {
        script.event("keep")
        script.kept = consume pin
    }

    func takeKept() -> PIN? { script.kept.take() }

    func askAgent(
        at path: ByteText, isAccountPhase: Bool, ignoresUnenrolled: Bool, forwardsPassword: Bool
    ) -> AgentAnswer {
        guard script.settings.agent != .absent, path != "none" else { return .absent }
        let phase = isAccountPhase ? "account" : "auth"
        script.event(
            "agent \(path.string) \(phase)\(ignoresUnenrolled ? " ignore-unenrolled" : "")\(forwardsPassword ? " forward-pass" : "")"
        )
        return script.settings.agent
    }
}
