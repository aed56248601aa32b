/// How much a line of the log matters.
package enum LogLevel: Sendable, Equatable {
    /// The machine is not set up as it should be.
    case fault
    /// Somebody was refused.
    case refusal
    /// Somebody has logged in, or was passed over.
    case note
    /// Only where more was asked for.
    case debug
}
