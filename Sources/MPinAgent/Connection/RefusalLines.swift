// SPDX-License-Identifier: Apache-2.0
package import MPinWire

/// The lines about refused requests in the log. The first few of each user are written, and the rest of a minute is
/// counted in one line, so that no user can fill the log with requests that cost nothing.
package struct RefusalLines {
    /// How many lines a user gets in a period.
    package static let most = 5
    /// The length of a period, in seconds.
    package static let period: Int64 = 60

    private struct Period {
        let start: Int64
        /// Lines that were written, or that a worker may write.
        var written = 0
        /// Refused requests without a line.
        var counted = 0
    }

    private var users: [UInt32: Period] = [:]

    package init() {}

    /// Whether a refusal is not written at all yet.
    package var isCounting: Bool { users.values.contains { $0.counted > 0 } }

    /// Whether a line about this user may be written.
    package func hasRoom(for user: UInt32) -> Bool { users[user].map { $0.written < Self.most } ?? true }

    /// - Parameters:
    ///   - isWritten: whether it has a line in the log.
    ///   - now: the time in seconds.
    package mutating func note(_ user: UInt32, isWritten: Bool, at now: Int64) {
        var period = users[user] ?? Period(start: now)
        if isWritten { period.written += 1 } else { period.counted += 1 }
        users[user] = period
    }

    /// Ends the periods that are over, and returns their lines.
    ///
    /// - Parameter now: the time in seconds; nil to end all periods.
    package mutating func end(at now: Int64?) -> [ByteText] {
        let over = users.filter { now == nil || (now ?? 0) - $0.value.start >= Self.period }
        for user in over.keys { users[user] = nil }
        return over.filter { $0.value.counted > 0 }.map { user, period in
            var line: ByteText = "uid="
            line.append(decimal: Int(user))
            line.append(" result=REFUSED reason=\"more refused requests within a minute: ")
            line.append(decimal: period.counted)
            line.append("\"")
            return line
        }
    }
}
