internal import MPinWire

extension FileStore {
    /// Opens the part of a store that belongs to an account.
    ///
    /// - Parameters:
    ///   - directory: absolute path of the store.
    ///   - account: the name of the Unix account.
    ///   - area: what logins use, or the place of a new registration beside it.
    ///   - create: whether missing directories are made. Without, nothing is written.
    public init(
        directory: String, account: String, area: Area = .users, create: Bool = false
    ) throws(StoreError) {
        try self.init(directory: ByteText(directory), account: ByteText(account), area: area, create: create)
    }

    public var account: String { accountName.string }
}
