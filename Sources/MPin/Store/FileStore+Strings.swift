// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension FileStore {
    /// Opens the part of a store that belongs to an account.
    ///
    /// - Parameters:
    ///   - directory: absolute path of the store.
    ///   - account: the name of the Unix account.
    ///   - area: the records that logins use, or the staging area for a new registration.
    ///   - create: whether to create missing directories. Otherwise nothing is written.
    /// - Throws: ``StoreError``: no store, no permission, an unsafe file or directory, or a name that no account can
    ///   have.
    public init(
        directory: String, account: String, area: Area = .users, create: Bool = false
    ) throws(StoreError) {
        try self.init(directory: ByteText(directory), account: ByteText(account), area: area, create: create)
    }

    /// The name of the Unix account.
    public var account: String { accountName.string }

    /// Returns the accounts that have registrations, in any order.
    ///
    /// - Parameter directory: absolute path of the store.
    /// - Throws: ``StoreError`` if the directory cannot be read.
    public static func accounts(in directory: String) throws(StoreError) -> [String] {
        try accounts(in: ByteText(directory)).map { $0.string }
    }

    /// Moves unreadable records to a file beside the account's file; see ``setAsideUnreadableRecords(until:)``.
    package borrowing func setAsideUnreadable(until deadline: Deadline) throws(StoreError) -> String? {
        try setAsideUnreadableRecords(until: deadline)?.string
    }

    /// Returns the files with records that could not be read, in any order.
    ///
    /// - Parameter directory: absolute path of the store.
    package static func unreadableFiles(in directory: String) throws(StoreError) -> [UnreadableFile] {
        try unreadableFiles(in: ByteText(directory))
    }
}

extension FileStore.UnreadableFile {
    package var account: String { accountName.string }

    /// The absolute path.
    package var path: String { place.string }
}
