// SPDX-License-Identifier: Apache-2.0
package import MPinServerRoles
package import MPinServerStorage

extension RelyingPartyIdentity {
    /// The identity of the relying party in a directory, for making its second authority.
    package init(of directory: ServerDirectory) throws(ServerError) {
        try directory.check()
        try self.init(of: SQLiteStorage(path: directory.database))
    }
}
