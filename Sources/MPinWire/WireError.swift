// SPDX-License-Identifier: Apache-2.0

/// The reason why a message could not be read.
///
/// It contains at most the name of a member, never its content: a body may contain a secret.
package enum WireError: Error, Equatable, Sendable {
    /// More than ``JSONLimits/size`` bytes.
    case tooLarge
    /// Not a single JSON object as in RFC 8259, or beyond the other limits.
    case malformed
    /// A required member is missing.
    case missing(MemberName)
    /// A member is of the wrong type, length or range.
    case invalid(MemberName)
}
