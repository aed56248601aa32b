// SPDX-License-Identifier: Apache-2.0

/// How the server treats registrations without a device key, which log in by two passes as in 2016.
package enum LegacyPolicy: String, Sendable {
    /// Accepts new ones, and all can log in.
    case allow
    /// Existing ones can log in; new ones are refused.
    case enrolled
    /// Refuses new ones, and treats existing ones as unknown.
    case refuse
}
