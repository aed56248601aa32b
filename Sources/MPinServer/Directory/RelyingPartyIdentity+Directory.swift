package import MPinServerRoles
package import MPinServerStorage

extension RelyingPartyIdentity {
    /// The one whose second authority is still to be made.
    package init(of directory: ServerDirectory) throws(ServerError) {
        try directory.check()
        try self.init(of: SQLiteStorage(path: directory.database))
    }
}
