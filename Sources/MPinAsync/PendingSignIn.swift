// SPDX-License-Identifier: Apache-2.0
internal import MPin

/// A started login; see ``AsyncMPinClient/startAuthentication(_:accessCode:)``. One start may be followed by several
/// finishing calls, for example after a mistyped PIN.
public struct PendingSignIn: ~Copyable, Sendable {
    /// The user who is logging in, as of the start.
    public let user: UserInfo

    let started: StartedLogin

    init(_ started: StartedLogin) { (self.started, user) = (started, started.info) }
}

/// The started login of a ``PendingSignIn``.
///
/// It is `Sendable` because only the client that has started it looks inside, on its own thread; other threads only
/// destroy it.
final class StartedLogin: @unchecked Sendable {
    private let pending: PendingAuthentication
    private let owner: ObjectIdentifier
    let info: UserInfo

    init(_ pending: consuming PendingAuthentication, _ info: UserInfo, of owner: ClientState) {
        self.pending = pending
        (self.info, self.owner) = (info, ObjectIdentifier(owner))
    }

    /// Lends the login to its client.
    ///
    /// - Throws: FLOW_ERROR for a login of another client.
    func lend<Result>(
        to client: ClientState, _ use: (borrowing PendingAuthentication) throws(MPinError) -> Result
    ) throws(MPinError) -> Result {
        guard owner == ObjectIdentifier(client) else { throw MPinError.foreignUser }
        return try use(pending)
    }
}
