// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// The newest primary that a server on this host has used, in a file.
///
/// A promotion begins a new timeline. A lower number is that of an old primary, which lacks counts of wrong PINs and
/// revocations, or of a backup.
struct TimelineFile: Sendable {
    struct Timeline: Equatable {
        /// The identifier of a database and of all its copies.
        let system: Int64
        let number: Int64
    }

    let path: String

    /// Records the timeline of a primary before it is used.
    ///
    /// - Throws: ``ServerError`` if a newer one was used before, or one of another database.
    func advance(to timeline: Timeline, host: String) throws(ServerError) {
        if let newest = try newest {
            guard timeline.system == newest.system, timeline.number >= newest.number else {
                throw ServerError(
                    .unavailable, "\(host) is an old primary, or another database than before",
                    hint: "Rebuild an old primary as a standby.\n"
                        + "After a restore or an upgrade of PostgreSQL, delete \(path) on each node.")
            }
            if timeline == newest { return }
        }
        try PrivateFile.write(Array("\(timeline.system) \(timeline.number)\n".utf8).span, to: path)
    }

    private var newest: Timeline? {
        get throws(ServerError) {
            guard FileFacts.isThere(path) else { return nil }
            let text = String(decoding: try RegularFile.read(path), as: UTF8.self)
            let numbers = text.split(whereSeparator: \.isWhitespace).map { Int64($0) }
            guard numbers.count == 2, let system = numbers[0], let number = numbers[1] else {
                throw ServerError(
                    .storage, "\(path) is damaged",
                    hint: "Make sure that no old primary runs. Then delete this file.")
            }
            return Timeline(system: system, number: number)
        }
    }
}
