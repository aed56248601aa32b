// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinServerRoles
internal import MPinServerStorage
internal import SystemFiles

/// The replacement of a directory's key, which can be undone until it is final.
struct KeyChange {
    /// The file of the new key; nil if nothing changes.
    let file: String?
    /// The file of the previous key, and its new name.
    let old: (file: String, former: String)?

    init(file: String?, old: (file: String, former: String)?) { (self.file, self.old) = (file, old) }

    /// - Parameter place: where to store the key; nil if nothing changes.
    init(of directory: ServerDirectory, to place: KeyPlace?, _ now: Timestamp) {
        file = place.map { directory.file(of: $0) }
        old =
            place == nil
            ? nil
            : directory.keyPlace.map { place in
                let file = directory.file(of: place)
                return (file: file, former: FileName.unused(file, before: now))
            }
    }

    /// Stores the key.
    func make(_ directory: ServerDirectory, _ place: KeyPlace, _ key: SealKey) throws(ServerError) {
        guard let file else { return }
        // First under another name, where a failure does no harm.
        let next = directory.file(of: place, next: true)
        unsafe unlink(next)
        try directory.create(next, of: place, for: key)
        if let old { try PrivateFile.rename(old.file, to: old.former) }
        try PrivateFile.rename(next, to: file)
        try PrivateFile.sync(directory.path)
    }

    /// Restores the previous state after any part of ``make(_:_:_:)``.
    func undo() {
        guard let file else { return }
        unsafe unlink(file + ".next")
        guard let old else {
            unsafe unlink(file)
            return
        }
        guard FileFacts.isThere(old.former) else { return }
        if file != old.file { unsafe unlink(file) }
        unsafe rename(old.former, old.file)
    }
}
