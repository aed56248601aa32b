// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A new mode for a file that other users can read or write.
struct ModeRepair {
    let path: String
    let mode: mode_t

    /// Sets the mode, unless the directory is unsafe: another user may have put the file there.
    ///
    /// - Returns: whether the mode was set.
    func perform() -> Bool {
        guard let slash = path.lastIndex(of: "/"), let directory = SafeDirectory(String(path[...slash])) else {
            return false
        }
        return directory.setMode(mode, of: String(path[path.index(after: slash)...]))
    }

    var sentence: String { "Set the mode of \(path) to 0\(String(mode, radix: 8))." }
}
