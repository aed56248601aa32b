// SPDX-License-Identifier: Apache-2.0

/// The hosts that may open sessions in their own names.
package protocol HostStorage: Sendable {
    /// Stores a host, or gives a host that exists a new secret.
    ///
    /// - Parameter secret: the keyed hash of its secret.
    func setHost(_ name: String, secret: [UInt8], now: Int64, event: AuditEvent) throws(ServerError)

    /// The name of the host with that keyed hash.
    func host(withSecret secret: [UInt8]) throws(ServerError) -> String?

    /// The names of all hosts, and when each of them got its secret.
    func hosts() throws(ServerError) -> [(name: String, created: Int64)]

    /// Deletes a host.
    ///
    /// - Returns: whether there was one of that name.
    func removeHost(_ name: String, event: AuditEvent) throws(ServerError) -> Bool
}
