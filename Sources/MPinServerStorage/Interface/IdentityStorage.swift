// SPDX-License-Identifier: Apache-2.0

/// The properties of a server that never change.
package protocol IdentityStorage: Sendable {
    /// Writes the settings that initialization has decided.
    func initialize(_ settings: FixedSettings, event: AuditEvent) throws(ServerError)

    /// The names of the server, which are decided once.
    func identity() throws(ServerError) -> ServerIdentity

    /// The role of the server.
    func role() throws(ServerError) -> ServerRole
}
