// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The files of an SQLite database.
package enum DatabaseFiles {
    /// Removes a database and the files that SQLite keeps next to it, as far as they exist.
    package static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unsafe unlink(path + suffix) }
    }
}
