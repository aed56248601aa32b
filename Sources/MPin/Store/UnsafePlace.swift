// SPDX-License-Identifier: Apache-2.0
#if !hasFeature(Embedded)
internal import CMPinSystem
internal import MPinWire

/// The file or directory because of which a store is refused, with its mode: for the message of an error.
///
/// It is looked for after the refusal, which named only the reason. If it has been repaired meanwhile, none is found.
struct UnsafePlace {
    let path: ByteText
    let mode: UInt32

    /// What a path should be.
    private enum Role {
        case parent, directory, file
    }

    init?(_ directory: ByteText, _ area: FileStore.Area, account: ByteText) {
        var found: UnsafePlace?
        let bytes = directory.bytes
        for end in bytes.indices.dropFirst() where bytes[end] == UInt8(ascii: "/") {
            found = found ?? UnsafePlace(ByteText(bytes.span.extracting(0..<end)), .parent)
        }
        let records = directory + "/" + ByteText(area.directory)
        let file = records + "/" + account
        found = found ?? UnsafePlace(directory, .directory) ?? UnsafePlace(records, .directory)
        found = found ?? UnsafePlace(file + ".json", .file) ?? UnsafePlace(file + ".lock", .file)
        guard let found else { return nil }
        self = found
    }

    init?(_ store: AccountStore) {
        guard case .files(let files) = store else { return nil }
        self.init(files.directory, files.area, account: files.accountName)
    }

    /// - Returns: nil for a safe path, and for one that does not exist.
    private init?(_ path: ByteText, _ role: Role) {
        var facts = mpin_path_facts()
        guard unsafe mpin_path_look(path.cString, &facts) == 0 else { return nil }
        let isSafe =
            switch role {
            case .parent: facts.is_directory != 0 && facts.mode & 0o022 == 0 || facts.is_sticky_of_root != 0
            case .directory: facts.is_directory != 0 && facts.mode & 0o077 == 0
            case .file:
                facts.is_file != 0 && facts.mode & 0o077 == 0 && facts.links == 1 && facts.size <= FileStore.fileLimit
            }
        guard !isSafe || facts.is_trusted == 0 else { return nil }
        (self.path, mode) = (path, facts.mode)
    }

    /// What is wrong with which file, in front of the sentence of the error.
    func sentence(_ reason: StaticString) -> ByteText {
        var text = VisibleText.sanitized(path, limit: 1024) + " " + ByteText(reason) + " (mode "
        for shift in stride(from: 9, through: 0, by: -3) { text.append(UInt8(ascii: "0") + UInt8(mode >> shift & 7)) }
        return text + "). "
    }
}

extension MPinError {
    /// Converts an error of the store, and names the file or directory that is unsafe.
    init(_ error: StoreError, at place: UnsafePlace?) {
        self.init(error)
        guard case .unsafe(let reason) = error, let place else { return }
        setPrefix(place.sentence(reason))
    }
}
#endif
