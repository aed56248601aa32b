// SPDX-License-Identifier: Apache-2.0
internal import MPin
internal import MPinConfiguration
internal import MPinWire

extension Module {
    /// Passes the call to mpin-agent if this process may not read the store, or cannot reach the server: polkit's
    /// helper may not use the network.
    ///
    /// - Returns: nil if the call ends here: for another outcome, or without an agent.
    @inline(never)
    mutating func relay(_ call: ModuleCall, _ outcome: LoginOutcome, isAccountPhase: Bool) -> ReturnCode? {
        // The agent would ask the user, which this stack does not want.
        switch outcome {
        case .storeClosed, .serverAbsent: break
        default: return nil
        }
        guard call.configuration.firstPass != .required, let path = call.configuration.agent else { return nil }
        let answer = host.askAgent(
            at: path, isAccountPhase: isAccountPhase, ignoresUnenrolled: call.configuration.ignoreUnenrolled)
        switch answer {
        case .absent: return nil
        // This is not a failure of the server.
        case .failed: return end(call, outcome, ModuleVerdict(.systemError))
        case .ended(let code):
            if code != .success && code != .ignore { host.requestDelay(microseconds: Self.failureDelay) }
            return code
        }
    }
}
