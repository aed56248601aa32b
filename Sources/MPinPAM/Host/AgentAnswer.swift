// SPDX-License-Identifier: Apache-2.0

/// The result of a call that was passed to mpin-agent.
package enum AgentAnswer: Sendable, Equatable {
    /// There is no agent.
    case absent
    /// The agent closed the connection before it sent a result, or its answers are invalid.
    case failed
    /// The agent has made the call, shown the messages and written the log.
    case ended(ReturnCode)
}
