// SPDX-License-Identifier: Apache-2.0

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
/// The functions with a `connection` run inside a transaction, next to which no other writes.
extension ServerStorage {
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
        let once = try writeLoginOnce { connection -> Count? in
            let row = try connection.row(LoginStatements.wrongAtOnce, reservation.arguments)
            guard let row else { return nil }
            let (failures, recent): (Int, Int) = try (row["failures"], row["recent"])
            // The wrong PINs of the last days are counted again before they decide.
            guard limits.recent &- recent >= limits.inARow &- failures else { return nil }
            let left = limits.left(inARow: failures, recent: recent)
            return Count(isNew: true, left: left, failuresBefore: failures &- 1)
        }
        if let once { return once }
        return try writeLogin(.disk) { try Self.settleWrong(reservation, limits: limits, now: now, in: $0) }
    }

    /// Settles a wrong attempt inside a transaction.
    package static func settleWrong(
        _ reservation: Reservation, limits: AttemptLimits, now: Timestamp, in connection: any Connection
    ) throws -> Count? {
        let arguments = reservation.arguments + ["inARow": limits.inARow, "recent": limits.recent]
        let isNew = try changes(LoginStatements.countWrong, arguments, in: connection)
        let row: Row?
        if isNew {
            row = try connection.row(LoginStatements.wrong, arguments)
        } else {
            row = try connection.row(LoginStatements.result, arguments)
            _ = try changes(LoginStatements.rewrite, arguments, in: connection)
        }
        guard let row else { return nil }
        var (failures, recent): (Int, Int) = try (row["failures"], row["recent"])
        let failuresBefore = failures &- 1
        if limits.recent &- recent < limits.inARow &- failures {
            recent = try recount(reservation.hash, limits: limits, now: now, in: connection)
            if try changes(LoginStatements.block, arguments, in: connection) { failures = limits.inARow }
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
        let isDone = try writeLoginOnce { connection in
            guard reservation.isClean else { return nil as Bool? }
            let arguments = reservation.rightArguments(limits: limits, now: now)
            return try Self.changes(LoginStatements.rightAtOnce, arguments, in: connection)
                || connection.exists(LoginStatements.isRight, arguments)
        }
        if let isDone { return isDone }
        return try writeLogin(reservation.isClean ? .process : .disk) { connection in
            try Self.settleRight(reservation, limits: limits, now: now, in: connection)
        }
    }

    /// Settles a right attempt inside a transaction.
    package static func settleRight(
        _ reservation: Reservation, limits: AttemptLimits, now: Timestamp, in connection: any Connection
    ) throws -> Bool {
        try takeBack(reservation, LoginStatements.right, limits: limits, now: now, in: connection)
    }

    /// Removes the reservation of an attempt that does not count.
    ///
    /// - Returns: false if there is no such reservation any more.
    package func withdrawAttempt(
        _ reservation: Reservation, limits: AttemptLimits, now: Timestamp
    ) throws(ServerError) -> Bool {
        try writeLogin(.process) { connection in
            try Self.takeBack(reservation, LoginStatements.withdraw, limits: limits, now: now, in: connection)
        }
    }

    /// Counts a wrong PIN, and takes it back.
    ///
    /// - Parameter statement: what it leaves in the registration.
    /// - Returns: false, and nothing changed, if there is no such reservation any more.
    private static func takeBack(
        _ reservation: Reservation, _ statement: String, limits: AttemptLimits, now: Timestamp,
        in connection: any Connection
    ) throws -> Bool {
        guard let count = try settleWrong(reservation, limits: limits, now: now, in: connection), count.isNew else {
            return try connection.exists(LoginStatements.isRight, reservation.arguments)
                && changes(LoginStatements.rewrite, reservation.arguments, in: connection)
        }
        let arguments = reservation.rightArguments(limits: limits, now: now) + ["failures": count.failuresBefore]
        _ = try changes(
            connection.engine == .sqlite ? LoginStatements.giveBack : LoginStatements.keep, arguments, in: connection)
        return try changes(statement, arguments, in: connection)
    }

    /// Deletes what no longer counts against a registration, and sets `reserved` and `recent` from the other rows.
    ///
    /// - Returns: the wrong PINs of the last days.
    @discardableResult static func recount(
        _ hash: [UInt8], limits: AttemptLimits?, now: Timestamp, in connection: any Connection
    ) throws -> Int {
        let start = limits?.start(at: now.seconds) ?? .min
        let arguments: Parameters = ["hash": hash, "now": now.seconds, "start": start]
        switch connection.engine {
        case .sqlite: try connection.execute(LoginStatements.expire, arguments)
        case .postgresql:
            _ = try connection.rows(LoginStatements.lock, arguments)
            try connection.execute(LoginStatements.expireUnlocked, arguments)
        }
        _ = try changes(LoginStatements.recount, arguments, in: connection)
        return try connection.value(LoginStatements.recent, arguments) ?? 0
    }

    /// Runs one of the ``LoginStatements``.
    ///
    /// - Returns: whether it has changed a row.
    static func changes(_ statement: String, _ arguments: Parameters, in connection: any Connection) throws -> Bool {
        try connection.execute(statement, arguments)
        return connection.changesCount > 0
    }
}

extension Reservation {
    fileprivate var arguments: Parameters {
        ["hash": hash, "registration": registration, "lease": lease]
    }

    fileprivate func rightArguments(limits: AttemptLimits, now: Timestamp) -> Parameters {
        arguments + ["recent": limits.recent, "known": wrong, "now": now.seconds]
    }
}
