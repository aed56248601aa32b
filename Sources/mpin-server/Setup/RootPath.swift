// SPDX-License-Identifier: Apache-2.0
import Glibc
import MPinServerStorage
import SystemFiles

/// A path at which only root decides which file is there.
enum RootPath {
    /// Makes sure that no other user can replace a file, a directory on the way to it, or a link.
    ///
    /// - Parameter path: an absolute path.
    static func check(_ path: String) throws(ServerError) {
        guard let resolved = unsafe realpath(path, nil) else {
            throw ServerError(.configuration, "cannot read \(path): \(SystemError().text)")
        }
        defer { unsafe free(resolved) }
        for path in [path, unsafe String(cString: resolved)] {
            var place = path
            while true {
                guard let facts = FileFacts(of: place), facts.owner == 0,
                    facts.kind == S_IFLNK || !facts.isWritableByOthers
                else {
                    throw ServerError(
                        .configuration, "users other than root can replace \(place)",
                        hint: "Copy the files to a directory of root: sudo install -d -m 0700 /etc/mpin-tls")
                }
                guard place != "/" else { break }
                place = FileName.parent(of: place)
            }
        }
    }
}
