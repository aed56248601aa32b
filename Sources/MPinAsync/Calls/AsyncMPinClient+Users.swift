// SPDX-License-Identifier: Apache-2.0
public import MPin

extension AsyncMPinClient {
    /// The identities at the server in use, as they are stored now; see ``/MPin/MPinClient/allUsers``.
    public nonisolated var users: [UserInfo] {
        get async throws(MPinError) { try await call { $0.infos($0.client.users) } }
    }

    /// All identities of the account, at any server.
    public nonisolated var allUsers: [UserInfo] {
        get async throws(MPinError) { try await call { $0.infos($0.client.allUsers) } }
    }

    /// Returns the identities at a server, whether it is in use or not.
    ///
    /// - Parameter backend: the server's address.
    /// - Throws: only if the task is canceled.
    public nonisolated func users(at backend: String) async throws(MPinError) -> [UserInfo] {
        try await call { $0.infos($0.client.users(at: backend)) }
    }

    /// The servers at which the account has identities, without duplicates.
    public nonisolated var backends: [String] {
        get async throws(MPinError) { try await call { $0.client.backends } }
    }

    /// Returns the user of an identity at the server in use.
    ///
    /// - Parameter identity: the identity, byte for byte.
    /// - Throws: only if the task is canceled.
    public nonisolated func user(identity: String) async throws(MPinError) -> UserInfo? {
        try await call { state in state.client.user(identity: identity).map { state.info($0) } }
    }

    /// Returns what is stored of a user now, for example after a call that failed.
    ///
    /// - Parameter id: the user's ID.
    /// - Throws: FLOW_ERROR for a user of another client.
    public nonisolated func user(_ id: UserInfo.ID) async throws(MPinError) -> UserInfo {
        try await call { state throws(MPinError) in
            let user = try state.user(id)
            state.client.followStore()
            return state.info(user)
        }
    }

    /// How many records of the account could not be read; see ``/MPin/MPinClient/recordsSetAside``.
    public nonisolated var recordsSetAside: Int {
        get async throws(MPinError) { try await call { $0.client.recordsSetAside } }
    }

    /// Whether the account is not enrolled; see ``/MPin/MPinClient/isNewAccount``.
    public nonisolated var isNewAccount: Bool {
        get async throws(MPinError) { try await call { $0.client.isNewAccount } }
    }

    /// Makes a new identity in state INVALID; nothing is stored and nothing is sent.
    ///
    /// - Parameters:
    ///   - identity: the user's name at the server, usually a mail address.
    ///   - deviceName: the name of this machine in the server's lists.
    /// - Throws: only if the task is canceled.
    public nonisolated func makeUser(
        _ identity: String, deviceName: String = ""
    ) async throws(MPinError) -> UserInfo {
        try await call { $0.info($0.client.makeUser(identity, deviceName: deviceName)) }
    }

    /// Deletes an identity; see ``/MPin/MPinClient/deleteUser(_:)``.
    ///
    /// - Parameter user: the identity's ID.
    /// - Throws: as there.
    public nonisolated func deleteUser(_ user: UserInfo.ID) async throws(MPinError) {
        try await call { state throws(MPinError) in try state.client.deleteUser(state.user(user)) }
    }

    /// Forgets all identities in memory; see ``/MPin/MPinClient/clearUsers()``.
    ///
    /// - Throws: only if the task is canceled.
    public nonisolated func clearUsers() async throws(MPinError) { try await call { $0.client.clearUsers() } }
}
