/// Why a message could not be read.
///
/// Names a member at most, never its content: a body may hold a secret.
package enum WireError: Error, Equatable, Sendable {
    /// More than ``JSONLimits/size`` bytes.
    case tooLarge
    /// Not one JSON object as RFC 8259 has it, or beyond the other limits.
    case malformed
    /// A required member is not there.
    case missing(MemberName)
    /// A member is of the wrong type, length or range.
    case invalid(MemberName)
}
