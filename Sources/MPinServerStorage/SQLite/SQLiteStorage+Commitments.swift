// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB

/// The keys with which devices sign direct logins, and the commitments of these logins, each valid once.
///
/// A commitment is kept for as long as ``SignatureWindow/memory`` says. Then its row is deleted, and the horizon moves
/// to its time: no time up to the horizon is ever accepted again, regardless of the clock.
extension SQLiteStorage {
    /// How many old commitments each login deletes. More than one, so that their number falls.
    private static let sliceOfLogin = 8
    /// How far ahead of the clock the time of a stored commitment may be, in milliseconds: a day.
    private static let furthest: Int64 = 86_400_000
    /// How many commitments ahead of the window a device may have.
    private static let largestAhead = 64
    private static let sliceOfUpkeep = 1_000

    /// Why a commitment cannot be used; nil if it can.
    static func refusal(
        of commitment: SignedCommitment, by hash: [UInt8], in database: Database
    ) throws -> ReservationResult? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT time, EXISTS (
                        SELECT 1 FROM commitment
                        WHERE registration = (SELECT id FROM registration WHERE hash = ?) AND hash = ?
                    ) AS isUsed FROM horizon
                    """), arguments: [Data(hash), Data(commitment.hash)])
        guard let row else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "no horizon") }
        let isUsed: Bool = row["isUsed"]
        // First, because a client sends its PIN again after the other answer.
        guard !isUsed else { return .replayed }
        let horizon: Int64 = row["time"]
        return commitment.time > horizon ? nil : .stale(horizon: horizon)
    }

    /// Uses up the commitment of a direct login whose time is too old, so that no copy of it that is on its way gets a
    /// reservation any more. One whose time is yet to come is only looked up.
    ///
    /// - Returns: false if it was used up before.
    package func voidCommitment(
        _ commitment: SignedCommitment, of hash: [UInt8], now: Timestamp
    ) throws(ServerError) -> Bool {
        try group.write(.process) { database in
            switch try Self.refusal(of: commitment, by: hash, in: database) {
            case .replayed: return false
            // No time up to the horizon is accepted anyway.
            case .stale: return true
            default: break
            }
            // No copy of an older one can be accepted, and a restore must not move the horizon further ahead.
            let times = now.milliseconds - SignatureWindow.memory...now.milliseconds + Self.furthest
            guard times.contains(commitment.time),
                let registration = try Int64.fetchOne(
                    database, sql: "SELECT id FROM registration WHERE hash = ?", arguments: [Data(hash)])
            else { return true }
            // A time ahead of the window is kept until it is over, so a device may have only a few.
            guard try Self.countAhead(registration, now: now, in: database) < Self.largestAhead else { return false }
            try Self.use(commitment, of: registration, now: now, in: database)
            return true
        }
    }

    /// How many commitments a device has whose time is ahead of the window.
    private static func countAhead(_ registration: Int64, now: Timestamp, in database: Database) throws -> Int {
        try Int.fetchOne(
            database, sql: "SELECT count(*) FROM commitment WHERE registration = ? AND time > ?",
            arguments: [registration, now.milliseconds + SignatureWindow.tolerance]) ?? 0
    }

    /// The key of a registration. One read, which takes nearly as long for an unknown registration.
    package func signer(_ hash: [UInt8]) throws(ServerError) -> Signer {
        try readOnce { database in
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT horizon.time AS horizon, registration.id AS id, registration.deviceKey AS deviceKey
                        FROM horizon LEFT JOIN registration ON registration.hash = ?
                        """), arguments: [Data(hash)])
            guard let row else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "no horizon") }
            let key: Data? = row["deviceKey"]
            return Signer(registration: key.map { (row["id"], Array($0)) }, horizon: row["horizon"])
        }
    }

    static func use(
        _ commitment: SignedCommitment, of registration: Int64, now: Timestamp, in database: Database
    ) throws {
        try database.cachedStatement(sql: "INSERT INTO commitment (registration, hash, time) VALUES (?, ?, ?)")
            .execute(arguments: [registration, Data(commitment.hash), commitment.time])
        _ = try purgeCommitments(sliceOfLogin, now: now, in: database)
    }

    /// Deletes all commitments that need not be remembered.
    func purgeCommitments(now: Timestamp) throws(ServerError) {
        while try write({ try Self.purgeCommitments(Self.sliceOfUpkeep, now: now, in: $0) }) {}
    }

    /// The latest time of a direct login that may have been accepted: the horizon, or the time of the newest
    /// commitment.
    static func latestTime(in database: Database) throws -> Int64 {
        let time = try Int64.fetchOne(
            database, sql: "SELECT max(time, coalesce((SELECT max(time) FROM commitment), time)) FROM horizon")
        guard let time else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "no horizon") }
        return time
    }

    /// The latest time of a direct login that the server of this database may have accepted.
    package func latestTime() throws(ServerError) -> Int64 { try read { try Self.latestTime(in: $0) } }

    /// Makes sure that no time up to this one is accepted from now on.
    static func moveHorizon(to time: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "UPDATE horizon SET time = max(time, ?)").execute(arguments: [time])
    }

    /// Moves the horizon past the oldest commitments, and deletes those.
    ///
    /// - Returns: whether there may be more of them.
    private static func purgeCommitments(_ slice: Int, now: Timestamp, in database: Database) throws -> Bool {
        let times = try Int64.fetchAll(
            database.cachedStatement(
                sql: """
                    DELETE FROM commitment WHERE (registration, hash) IN (
                        SELECT registration, hash FROM commitment WHERE time < ? ORDER BY time LIMIT ?
                    ) RETURNING time
                    """), arguments: [now.milliseconds - SignatureWindow.memory, slice])
        if let last = times.max() { try moveHorizon(to: last, in: database) }
        return times.count == slice
    }
}
