internal import MPin
internal import MPinConfiguration
internal import MPinWire

extension Module {
    /// Has mpin-agent make the call where this process may not read the store, or has no way to the server: polkit's helper
    /// may not use the network.
    ///
    /// - Returns: nil where the call ends here: for another outcome, and where there is no agent.
    @inline(never)
    mutating func relay(_ call: ModuleCall, _ outcome: LoginOutcome, isAccountPhase: Bool) -> ReturnCode? {
        // The agent asks the person, which this stack does not want.
        switch outcome {
        case .storeClosed, .serverAbsent: break
        default: return nil
        }
        guard call.configuration.firstPass != .required, let path = call.configuration.agent else { return nil }
        let answer = host.askAgent(
            at: path, isAccountPhase: isAccountPhase,
            ignoresUnenrolled: call.configuration.ignoreUnenrolled)
        switch answer {
        case .absent: return nil
        // The server has nothing to do with it.
        case .failed: return end(call, outcome, ModuleVerdict(.systemError))
        case .ended(let code):
            if code != .success && code != .ignore { host.requestDelay(microseconds: Self.failureDelay) }
            return code
        }
    }
}
