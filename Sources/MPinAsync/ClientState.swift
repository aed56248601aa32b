// SPDX-License-Identifier: Apache-2.0
import MPin

/// The client of an actor, and the users that it has handed out.
final class ClientState {
    var client: MPinClient
    private var users: [UserInfo.ID: User] = [:]
    private var ids: [ObjectIdentifier: UserInfo.ID] = [:]

    init(_ client: consuming MPinClient) { self.client = client }

    /// The user with an ID of this client.
    ///
    /// - Throws: FLOW_ERROR for an ID of another client.
    func user(_ id: UserInfo.ID) throws(MPinError) -> User {
        guard let user = users[id] else { throw MPinError.foreignUser }
        return user
    }

    /// The value of a user.
    func info(_ user: User) -> UserInfo {
        let known = ids[ObjectIdentifier(user)]
        let id = known ?? UserInfo.ID()
        if known == nil { (users[id], ids[ObjectIdentifier(user)]) = (user, id) }
        return UserInfo(user, id)
    }

    func infos(_ users: [User]) -> [UserInfo] { users.map { info($0) } }
}
