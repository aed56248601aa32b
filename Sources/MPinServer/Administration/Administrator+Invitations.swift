// SPDX-License-Identifier: Apache-2.0
internal import MPinServerRoles
package import MPinServerStorage
internal import ShellSyntax

/// The invitations of administrators, and those of users for their own devices.
extension Administrator {
    /// An invitation that was just made. Its code is never shown again.
    package struct NewInvitation {
        package let user: String
        package let code: String
        /// What the user pastes to enroll another machine.
        package let text: String
    }

    /// What a user pastes to enroll another machine: the public address without `https://`, and a code. Only the code if no
    /// other machine can use the server.
    package func invitation(_ code: String) throws(ServerError) -> String {
        guard let url = try publicURL(), url.hasPrefix("https://") else { return code }
        return url.dropFirst("https://".count) + "/" + code
    }

    /// Makes one invitation for each user: all or none.
    ///
    /// - Parameter seconds: how long they are valid; nil for the configured time.
    package func invite(
        _ users: [String], seconds: Int? = nil
    ) throws(ServerError) -> (invitations: [NewInvitation], expires: Timestamp) {
        for user in users { try Self.requireUserID(user) }
        let seconds = seconds ?? configuration.roles.invitationSeconds
        guard 1...31_536_000 ~= seconds else {
            throw ServerError(.badInput, "an invitation must be valid for 1 second to 365 days")
        }
        let now = clock.now
        let expires = now.adding(seconds: Int64(seconds))
        do {
            let codes = try users.map { try invitations.makeCode(for: $0) }
            try store.addInvitations(
                zip(users, codes).map { user, code in
                    let event = AuditEvent(.invited(until: expires, byOwner: false), at: now, user: user, actor: actor)
                    return (code.stored, user, event)
                }, now: now.seconds, expires: expires.seconds)
            let made = try zip(users, codes).map { user, code in
                NewInvitation(user: user, code: code.text, text: try invitation(code.text))
            }
            return (made, expires)
        } catch { throw error as? ServerError ?? ServerError(.internalFault, "cannot make a code") }
    }

    package func pendingInvitations() throws(ServerError) -> [PendingInvitation] {
        try store.pendingInvitations(now: clock.now.seconds)
    }

    /// Cancels the pending invitations of users: of all, or of none if one has no invitation.
    ///
    /// - Returns: how many each of them had.
    package func cancelInvitations(of users: [String]) throws(ServerError) -> [Int] {
        let (now, actor) = (clock.now, actor)
        let counts = try store.cancelInvitations(
            of: users, now: now.seconds,
            event: { AuditEvent(.invitationsCanceled(count: $1), at: now, user: $0, actor: actor) })
        if let index = counts.firstIndex(of: 0) {
            throw ServerError(
                .nothingToChange, "\(users[index]) has no pending invitation", hint: "Nothing was changed.",
                next: "invite --list")
        }
        return counts
    }

    /// Refuses user IDs that the server would not register.
    private static func requireUserID(_ user: String) throws(ServerError) {
        guard !UserName.isValid(user) else { return }
        throw ServerError(
            .badInput, "not a user ID: \(ShellWord.quoted(user))",
            hint: nameRule + " An account name or a mail address is one.")
    }
}
