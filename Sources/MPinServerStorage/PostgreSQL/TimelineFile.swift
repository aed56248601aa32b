// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import SystemFiles

/// A file that records how far the newest primary was that a server on this host has used.
///
/// A promotion begins a new timeline. A primary on an older timeline, or with less in its log on the same one, is an old
/// primary, an old copy, or a standby that did not follow the last promotion. It lacks counts of wrong PINs and
/// revocations.
struct TimelineFile: Sendable {
    struct LogPosition {
        /// The identifier of a database and of all its copies.
        let system: Int64
        let timeline: Int64
        /// The position in the log of writes up to which all is on the disk, in bytes. A crash does not reduce it.
        let flushed: Int64

        func isBefore(_ other: LogPosition) -> Bool { (timeline, flushed) < (other.timeline, other.flushed) }
    }

    let path: String

    /// Nil if no primary was used yet.
    var position: LogPosition? {
        get throws(ServerError) {
            guard FileFacts.isThere(path) else { return nil }
            let text = String(decoding: try RegularFile.read(path), as: UTF8.self)
            let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Int64($0) }
            guard numbers.count == 3 else {
                throw ServerError(
                    .storage, "\(path) is damaged",
                    hint: "Make sure that no old primary runs. Then delete this file.")
            }
            return LogPosition(system: numbers[0], timeline: numbers[1], flushed: numbers[2])
        }
    }

    /// Refuses a primary whose position is before a known one, or in another database.
    ///
    /// - Parameter known: read before the primary was asked for its position.
    func demand(_ position: LogPosition, notBefore known: LogPosition, host: String) throws(ServerError) {
        guard position.system == known.system, !position.isBefore(known) else {
            throw ServerError(
                .unavailable, "\(host) is an old primary, or another database than before",
                hint: "Rebuild an old primary as a standby.\n"
                    + "After a restore or an upgrade of PostgreSQL, stop each node, and delete \(path) there.")
        }
    }

    /// Records the position of a primary before it is used.
    ///
    /// - Parameter isExact: whether to write each new position. Otherwise, one on the same timeline only after a mebibyte,
    ///   because many connections are made at once.
    func advance(to position: LogPosition, isExact: Bool) throws(ServerError) {
        // Other connections and programs write it, too.
        let directory = try ServerError.ofFiles { () throws(FileError) in
            try SystemFile(FileName.parent(of: path), O_RDONLY | O_DIRECTORY)
        }
        while flock(directory.descriptor, LOCK_EX) != 0, errno == EINTR {}
        let last = try self.position
        let isNew = last.map { position.timeline > $0.timeline } ?? true
        let step: Int64 = isExact ? 1 : 1 << 20
        if let last, !isNew, position.timeline != last.timeline || position.flushed &- last.flushed < step { return }
        do throws(ServerError) {
            try PrivateFile.write(
                Array("\(position.system) \(position.timeline) \(position.flushed)\n".utf8).span, to: path)
        } catch {
            // A full disk of this host. The former position refuses old primaries, too.
            if isNew { throw error }
        }
    }
}
