// SPDX-License-Identifier: Apache-2.0

/// The level of a line in the system's log.
package enum LogLevel: Sendable, Equatable {
    /// The machine is not set up correctly.
    case fault
    /// A login was refused.
    case refusal
    /// A login succeeded, or the account was skipped.
    case note
    /// Only logged with `debug`.
    case debug
}
