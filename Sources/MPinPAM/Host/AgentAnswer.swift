/// What became of a call that mpin-agent was to make.
package enum AgentAnswer: Sendable, Equatable {
    /// There is no agent.
    case absent
    /// The agent ended the connection before it gave a result, or its answers make no sense.
    case failed
    /// It has made the call, told the person and written the log.
    case ended(ReturnCode)
}
