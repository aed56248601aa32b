internal import Glibc
internal import MPinServerRoles
internal import MPinServerStorage

/// The key of a directory, put in the place of the one that is there, or of none, until it is clear that it stays.
struct KeyChange {
    /// The new key's; nil: nothing changes.
    let file: String?
    /// The file of the key before, and what it is called from then on.
    let old: (file: String, former: String)?

    init(file: String?, old: (file: String, former: String)?) { (self.file, self.old) = (file, old) }

    /// - Parameter place: where the key is to lie; nil: nothing changes.
    init(of directory: ServerDirectory, to place: KeyPlace?, _ now: Timestamp) {
        file = place.map { directory.file(of: $0) }
        old =
            place == nil
            ? nil
            : directory.keyPlace.map { place in
                let file = directory.file(of: place)
                return (file: file, former: FileName.unused(file, now))
            }
    }

    /// Puts the key there.
    func make(_ directory: ServerDirectory, _ place: KeyPlace, _ key: SealKey) throws(ServerError) {
        guard let file else { return }
        // Under another name first: what cannot be made does no harm there.
        let next = directory.file(of: place, next: true)
        unsafe unlink(next)
        try directory.create(next, of: place, for: key)
        if let old, unsafe rename(old.file, old.former) != 0 {
            throw ServerError(.storage, "cannot keep \(old.file) as \(old.former): \(SystemError().text)")
        }
        guard unsafe rename(next, file) == 0 else {
            throw ServerError(.storage, "cannot create \(file): \(SystemError().text)")
        }
        try PrivateFile.sync(directory.path)
    }

    /// Brings back what was there before, however far ``make(_:_:_:)`` has come.
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
