// SPDX-License-Identifier: Apache-2.0
internal import CAgent
internal import MPinPAM

extension LogLevel {
    /// syslog's priority.
    var priority: Int {
        switch self {
        case .fault: MPIN_AGENT_LOG_ERR
        case .refusal: MPIN_AGENT_LOG_NOTICE
        case .note: MPIN_AGENT_LOG_INFO
        case .debug: MPIN_AGENT_LOG_DEBUG
        }
    }
}
