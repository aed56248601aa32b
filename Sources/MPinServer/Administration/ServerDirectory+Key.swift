internal import Glibc

extension ServerDirectory {
    /// Reads the key that opens a database. Where a rotation was cut off, that may be the next one, which then takes the
    /// place of the key.
    func readKey(for store: Store) throws(ServerFault) -> SealKey {
        let root = try KeyFile.read(key)
        guard CopiedFile.isThere(nextKey), !Self.opens(root, store) else { return root }
        guard let next = try? KeyFile.read(nextKey), Self.opens(next, store) else {
            // It may have taken its place meanwhile.
            return try KeyFile.read(key)
        }
        try finishRotation()
        return next
    }

    /// Puts the next key in the place of the key. Whoever opens the server may have done it already.
    func finishRotation() throws(ServerFault) {
        guard unsafe rename(nextKey, key) == 0 || errno == ENOENT else {
            throw ServerFault(.storage, "cannot replace \(key): \(SystemError().text)")
        }
        try CopiedFile.sync(path)
    }

    private static func opens(_ root: SealKey, _ store: Store) -> Bool {
        (try? ServerState.masterShare(1, store, root)) != nil
    }
}
