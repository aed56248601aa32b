// SPDX-License-Identifier: Apache-2.0
package import MPin

/// What a server did with the registrations that another one has replaced.
package enum ReplacedRegistrations: Int, CaseIterable, Sendable {
    case none
    /// All are revoked, or unknown to the server.
    case revoked, unknown
    /// Some are left, and the next login asks again.
    case left

    /// Asks the server again to revoke them, with the PIN that was just proved.
    package init(_ client: inout MPinClient, by user: User, _ pin: borrowing PIN) {
        guard !user.notes.replaced.isEmpty else {
            self = .none
            return
        }
        let result = client.revokeReplaced(by: user, pin: pin)
        self = result.left > 0 ? .left : result.revoked.isEmpty ? .unknown : .revoked
    }
}
