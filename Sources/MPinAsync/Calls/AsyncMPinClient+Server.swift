// SPDX-License-Identifier: Apache-2.0
public import MPin

extension AsyncMPinClient {
    /// Chooses the server and reads its settings; see ``/MPin/MPinClient/setBackend(_:rpsPrefix:)``.
    ///
    /// - Parameters:
    ///   - address: `https://HOST[:PORT][/PATH]` or `unix:/PATH`.
    ///   - rpsPrefix: the path of the server's protocol, if it is not the usual one.
    /// - Throws: as there.
    public nonisolated func setBackend(_ address: String, rpsPrefix: String = "rps") async throws(MPinError) {
        try await call { state throws(MPinError) in try state.client.setBackend(address, rpsPrefix: rpsPrefix) }
    }

    /// Reads a server's settings and keeps nothing; see ``/MPin/MPinClient/testBackend(_:rpsPrefix:)``.
    ///
    /// - Parameters:
    ///   - address: `https://HOST[:PORT][/PATH]` or `unix:/PATH`.
    ///   - rpsPrefix: the path of the server's protocol, if it is not the usual one.
    /// - Throws: as there.
    public nonisolated func testBackend(_ address: String, rpsPrefix: String = "rps") async throws(MPinError) {
        try await call { state throws(MPinError) in try state.client.testBackend(address, rpsPrefix: rpsPrefix) }
    }

    /// The server in use.
    public nonisolated var backend: Backend? {
        get async throws(MPinError) { try await call { $0.client.backend } }
    }

    /// Asks a service for its server and name; see ``/MPin/MPinClient/getServiceDetails(_:)``.
    ///
    /// - Parameter url: `https://HOST[:PORT][/PATH]` or `unix:/PATH`.
    /// - Throws: as there.
    public nonisolated func getServiceDetails(_ url: String) async throws(MPinError) -> ServiceDetails {
        try await call { state throws(MPinError) in try state.client.getServiceDetails(url) }
    }

    /// Adds the name that a platform gave this application to every further request; see
    /// ``/MPin/MPinClient/setClientID(_:)``.
    ///
    /// - Parameter clientID: printable ASCII.
    /// - Throws: as there.
    public nonisolated func setClientID(_ clientID: String) async throws(MPinError) {
        try await call { state throws(MPinError) in try state.client.setClientID(clientID) }
    }

    /// Returns a member of the server's settings as text; empty if it is missing.
    ///
    /// - Parameter name: the name of the member.
    /// - Throws: only if the task is canceled.
    public nonisolated func getClientParam(_ name: String) async throws(MPinError) -> String {
        try await call { $0.client.getClientParam(name) }
    }
}
