/// The level of a line in the system's log.
package enum LogLevel: Sendable, Equatable {
    /// The machine is not set up as it should be.
    case fault
    /// A login was refused.
    case refusal
    /// A login succeeded, or the account was passed over.
    case note
    /// Only where more was asked for.
    case debug
}
