internal import Glibc

extension ServerDirectory {
    /// Reads the key that opens a database. Where a rotation was cut off, that may be the next one, which then takes the
    /// place of the key.
    func readKey(for store: Store) throws(ServerFault) -> SealKey {
        let credential = CopiedFile.isThere(key) ? nil : KeyCredential.path
        let root = try KeyFile.read(credential ?? key)
        if Self.opens(root, store) { return root }
        if credential == nil, let next = try? KeyFile.read(nextKey), Self.opens(next, store) {
            try finishRotation()
            return next
        }
        // A rotation may have ended meanwhile. Another server's key would make invitations that nothing takes.
        let last = try KeyFile.read(credential ?? key)
        _ = try ServerState.anyMasterShare(store, last)
        return last
    }

    /// Puts the next key in the place of the key. Whoever opens the server may have done it already.
    func finishRotation() throws(ServerFault) {
        guard unsafe rename(nextKey, key) == 0 || errno == ENOENT else {
            throw ServerFault(.storage, "cannot replace \(key): \(SystemError().text)")
        }
        try CopiedFile.sync(path)
    }

    private static func opens(_ root: SealKey, _ store: Store) -> Bool {
        (try? ServerState.anyMasterShare(store, root)) != nil
    }
}
