internal import Glibc

/// The key of a directory, put in the place of the one that is there, or of none, until it is clear that it stays.
struct KeyChange {
    private let file: String?
    /// The file of the key before, and what it is called meanwhile.
    private let old: (file: String, former: String)?

    /// - Parameter place: where the key is to lie; nil: nothing changes.
    init(of directory: ServerDirectory, to place: KeyPlace?, _ key: SealKey, _ now: Timestamp) throws(ServerFault) {
        guard let place else {
            (file, old) = (nil, nil)
            return
        }
        let file = directory.file(of: place)
        let old = directory.keyPlace.map { place in
            let file = directory.file(of: place)
            return (file: file, former: CopiedFile.unusedName(file, now))
        }
        // Under another name first: what cannot be made does no harm there.
        let next = directory.file(of: place, next: true)
        unsafe unlink(next)
        try directory.create(next, of: place, for: key)
        if let old, unsafe rename(old.file, old.former) != 0 {
            throw ServerFault(.storage, "cannot keep \(old.file) as \(old.former): \(SystemError().text)")
        }
        (self.file, self.old) = (file, old)
        guard unsafe rename(next, file) == 0 else {
            let error = SystemError()
            undo()
            throw ServerFault(.storage, "cannot make \(file): \(error.text)")
        }
        try CopiedFile.sync(directory.path)
    }

    /// Brings back what was there before.
    func undo() {
        guard let file else { return }
        unsafe unlink(file)
        if let old { unsafe rename(old.former, old.file) }
    }
}
