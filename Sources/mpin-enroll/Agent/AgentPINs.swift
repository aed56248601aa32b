// SPDX-License-Identifier: Apache-2.0
import MPin

/// The PINs for a command that mpin-agent runs: from files, which only this process reads, or from the terminal.
final class AgentPINs {
    private let current: PINSource?
    private let new: PINSource?
    /// The PINs from files: the agent may ask more than once, and standard input can be read only once.
    private var kept: (current: NewPIN?, new: NewPIN?)
    private var isPrepared = false

    init(_ current: PINSource? = nil, new: PINSource? = nil) {
        (self.current, self.new) = (current, new)
    }

    func current(_ prompt: String) throws(CommandFailure) -> NewPIN {
        try prepare()
        if let pin = kept.current { return pin }
        guard let current else { throw AgentCall.senseless }
        let pin = NewPIN(try current.pin(prompt: prompt))
        if current.file != nil { kept.current = pin }
        return pin
    }

    /// A new PIN. The agent's process checks whether it is weak.
    func new(_ prompt: String) throws(CommandFailure) -> NewPIN {
        if let pin = kept.new { return pin }
        guard let new else { throw AgentCall.senseless }
        return NewPIN(try new.pin(prompt: prompt, mayBeEmpty: true))
    }

    /// Checks before the first attempt that the new PIN is available and, if it comes from a file, is not weak.
    private func prepare() throws(CommandFailure) {
        guard !isPrepared, let new else { return }
        isPrepared = true
        try current?.require()
        try new.require()
        if new.file != nil { kept.new = NewPIN(try new.newPIN(prompt: "")) }
    }
}
