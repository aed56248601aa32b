/// What a server is, for good.
package protocol IdentityStorage: Sendable {
    /// Writes what is decided at initialization.
    func initialize(_ settings: FixedSettings, event: AuditEvent) throws(ServerError)

    /// The names of the server, which are decided once.
    func identity() throws(ServerError) -> ServerIdentity

    /// The role of the server.
    func role() throws(ServerError) -> ServerRole
}
