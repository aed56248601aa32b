import Glibc

/// Another mode for a file that others can read or write.
struct ModeRepair {
    let path: String
    let mode: mode_t

    /// Sets it. Leaves everything alone that is not in a safe directory, because another user may have put it there.
    ///
    /// - Returns: whether it is set now.
    func perform() -> Bool {
        guard let slash = path.lastIndex(of: "/"), let directory = SafeDirectory(String(path[...slash])) else {
            return false
        }
        return directory.setMode(mode, of: String(path[path.index(after: slash)...]))
    }

    var sentence: String { "Set the mode of \(path) to 0\(String(mode, radix: 8))." }
}
