// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import GRDB

/// The count of attempts.
///
/// `registration.wrong` never decreases. `failures` counts the wrong PINs since the last right one. A right PIN sets it
/// to the wrong PINs since its reservation: `wrong` now minus `wrong` then. So right PINs that overlap clear no wrong
/// PIN twice, and none clears a wrong PIN that came after its reservation.
///
/// `failures`, `reserved` and `recent` decide whether an attempt may be verified. The last two may be too high, because
/// reservations expire and days pass without a write, but never too low. So they are counted again before they refuse
/// an attempt.
///
/// A settlement that finds no reservation changes nothing. Then no result may be reported, because it would not be
/// counted. Nor may a settlement that fails show the result. So each one first writes what a wrong PIN writes, and then
/// takes that back: on a disk that is nearly full, a right PIN needs as much room as a wrong one.
///
/// The functions with a `database` run inside a transaction, next to which no other writes.
extension SQLiteStorage {
    /// A wrong PIN that is counted.
    package struct Count: Sendable {
        /// Whether it was counted now, and not by an earlier settlement of the same attempt.
        package let isNew: Bool
        package let left: Int
        /// The wrong PINs since the last right one, without this one.
        fileprivate let failuresBefore: Int
    }

    /// Settles a wrong attempt, durably: from now on it counts as a wrong PIN. Repeated, it changes nothing.
    ///
    /// - Returns: nil if there is no such reservation any more.
    package func settleWrong(
        _ reservation: Reservation, limits: AttemptLimits, now: Timestamp
    ) throws(ServerError) -> Count? {
        try group.write(.disk) { try Self.settleWrong(reservation, limits: limits, now: now, in: $0) }
    }

    /// Settles a wrong attempt inside a transaction.
    package static func settleWrong(
        _ reservation: Reservation, limits: AttemptLimits, now: Timestamp, in database: Database
    ) throws -> Count? {
        let arguments = reservation.arguments &+ ["inARow": limits.inARow, "recent": limits.recent]
        let isNew = try changes(LoginStatements.countWrong, arguments, in: database)
        let statement = isNew ? LoginStatements.wrong : LoginStatements.result
        let row = try Row.fetchOne(database.cachedStatement(sql: statement), arguments: arguments)
        guard let row else { return nil }
        var (failures, recent): (Int, Int) = (row["failures"], row["recent"])
        let failuresBefore = failures - 1
        if limits.recent - recent < limits.inARow - failures {
            recent = try recount(reservation.hash, limits: limits, now: now, in: database)
            if try changes(LoginStatements.block, arguments, in: database) { failures = limits.inARow }
        }
        let left = limits.left(inARow: failures, recent: recent)
        return Count(isNew: isNew, left: left, failuresBefore: failuresBefore)
    }

    /// Settles a right attempt: removes the reservation, forgets the wrong PINs before it, and records a first login,
    /// after which the code that made the registration cannot be used again. It waits for the disk if it changes more
    /// than the reservation.
    ///
    /// - Returns: false, and nothing changed, if there is no such reservation any more.
    package func settleRight(
        _ reservation: Reservation, limits: AttemptLimits, now: Timestamp
    ) throws(ServerError) -> Bool {
        try group.write(reservation.isClean ? .process : .disk) { database in
            try Self.settleRight(reservation, limits: limits, now: now, in: database)
        }
    }

    /// Settles a right attempt inside a transaction.
    package static func settleRight(
        _ reservation: Reservation, limits: AttemptLimits, now: Timestamp, in database: Database
    ) throws -> Bool {
        try takeBack(reservation, LoginStatements.right, limits: limits, now: now, in: database)
    }

    /// Removes the reservation of an attempt that does not count.
    ///
    /// - Returns: false if there is no such reservation any more.
    package func withdrawAttempt(
        _ reservation: Reservation, limits: AttemptLimits, now: Timestamp
    ) throws(ServerError) -> Bool {
        try group.write(.process) { database in
            try Self.takeBack(reservation, LoginStatements.withdraw, limits: limits, now: now, in: database)
        }
    }

    /// Counts a wrong PIN, and takes it back.
    ///
    /// - Parameter statement: what it leaves in the registration.
    /// - Returns: false, and nothing changed, if there is no such reservation any more.
    private static func takeBack(
        _ reservation: Reservation, _ statement: String, limits: AttemptLimits, now: Timestamp, in database: Database
    ) throws -> Bool {
        guard let count = try settleWrong(reservation, limits: limits, now: now, in: database), count.isNew else {
            return false
        }
        let arguments =
            reservation.arguments
            &+ [
                "recent": limits.recent, "failures": count.failuresBefore, "known": reservation.wrong,
                "now": now.seconds,
            ]
        _ = try changes(LoginStatements.giveBack, arguments, in: database)
        return try changes(statement, arguments, in: database)
    }

    /// Deletes what no longer counts against a registration, and sets `reserved` and `recent` from the other rows.
    ///
    /// - Returns: the wrong PINs of the last days.
    @discardableResult static func recount(
        _ hash: [UInt8], limits: AttemptLimits?, now: Timestamp, in database: Database
    ) throws -> Int {
        let start = limits?.start(at: now.seconds) ?? .min
        let arguments: StatementArguments = ["hash": Data(hash), "now": now.seconds, "start": start]
        _ = try changes(LoginStatements.expire, arguments, in: database)
        _ = try changes(LoginStatements.recount, arguments, in: database)
        return try Int.fetchOne(database.cachedStatement(sql: LoginStatements.recent), arguments: arguments) ?? 0
    }

    /// Runs one of the ``LoginStatements``.
    ///
    /// - Returns: whether it has changed a row.
    static func changes(_ statement: String, _ arguments: StatementArguments, in database: Database) throws -> Bool {
        try database.cachedStatement(sql: statement).execute(arguments: arguments)
        return database.changesCount > 0
    }
}

extension Reservation {
    fileprivate var arguments: StatementArguments {
        ["hash": Data(hash), "registration": registration, "lease": lease]
    }
}
