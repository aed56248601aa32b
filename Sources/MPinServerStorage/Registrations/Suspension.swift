// SPDX-License-Identifier: Apache-2.0

/// The suspension of a user. An administrator has withdrawn the user, and not only the registrations at that time.
package struct Suspension: Sendable {
    let time: Timestamp
    package let reason: String?
}
