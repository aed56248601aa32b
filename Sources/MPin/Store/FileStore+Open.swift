// SPDX-License-Identifier: Apache-2.0
#if !hasFeature(Embedded)
internal import MPinWire

extension FileStore {
    /// Opens the part of a store that belongs to an account.
    ///
    /// - Parameters:
    ///   - directory: absolute path of the store.
    ///   - account: the name of the registrations' file, usually of the Unix account. A program with a store of its own
    ///     and one person may leave it out. It is not the identity: one account may have several.
    ///   - area: the records that logins use, or the staging area for a new registration.
    ///   - create: whether to create missing directories. Otherwise nothing is written.
    /// - Throws: STORAGE_ERROR, whose ``MPinError/reason`` says more: no store, no permission, or an unsafe file or
    ///   directory, which the message names; or if the path is relative or contains a NUL character. FLOW_ERROR if
    ///   `create` is false and the area does not exist.
    public convenience init(
        directory: String, account: String = "default", area: Area = .users, create: Bool = false
    ) throws(MPinError) {
        let (path, name) = (try FileStore.path(directory), ByteText(account))
        do throws(StoreError) {
            try self.init(directory: path, account: name, owner: nil, area: area, create: create)
        } catch { throw MPinError(error, at: UnsafePlace(path, area, account: name)) }
    }

    /// Returns the accounts that have registrations, in any order.
    ///
    /// - Parameter directory: absolute path of the store.
    /// - Throws: STORAGE_ERROR if the directory cannot be read, or the path is relative or contains a NUL character.
    public static func accounts(in directory: String) throws(MPinError) -> [String] {
        _ = try path(directory)
        do throws(StoreError) { return try accountNames(in: directory) } catch { throw MPinError(error) }
    }

    /// A relative path would name another store for each working directory, and one with a NUL character the store
    /// whose path ends there.
    private static func path(_ directory: String) throws(MPinError) -> ByteText {
        guard directory.utf8.first == UInt8(ascii: "/") else {
            throw MPinError(.storageError, "The path of a store must be absolute.")
        }
        guard !directory.utf8.contains(0) else {
            throw MPinError(.storageError, "The path of a store may not contain a NUL character.")
        }
        return ByteText(directory)
    }
}
#endif
