// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB

/// The count of attempts.
///
/// `registration.wrong` never decreases. `failures` counts the wrong PINs since the last right one. A right PIN sets it
/// to the wrong PINs since its reservation: `wrong` now minus `wrong` then. So right PINs that overlap clear no wrong
/// PIN twice, and none clears a wrong PIN that came after its reservation.
extension SQLiteStorage {
    /// Reserves an attempt, durably, if the limits leave room for one. A reserved attempt must be settled exactly once,
    /// by ``settleAttempt(_:limits:durability:)`` or ``settleAttemptSoon(_:limits:isAwaited:done:)``.
    ///
    /// A direct login's commitment is used up by its reservation, or by ``voidCommitment(_:of:now:)``.
    ///
    /// - Parameter origin: a registration that does not accept this origin is treated as one that does not exist.
    package func reserveAttempt(
        _ hash: [UInt8], origin: AttemptOrigin, limits: AttemptLimits, now: Timestamp
    ) throws(ServerError) -> ReservationResult {
        pacing.begin()
        do throws(ServerError) {
            let result = try reserve(hash, origin: origin, limits: limits, now: now)
            guard case .reserved = result else {
                pacing.end()
                return result
            }
            return result
        } catch {
            pacing.end()
            throw error
        }
    }

    private func reserve(
        _ hash: [UInt8], origin: AttemptOrigin, limits: AttemptLimits, now time: Timestamp
    ) throws(ServerError) -> ReservationResult {
        let id = Int64.random(in: 1...Int64.max)
        let now = time.seconds
        return try group.write(.disk) { database in
            if case .direct(let commitment) = origin,
                let refusal = try Self.refusal(of: commitment, by: hash, in: database)
            {
                return refusal
            }
            // One statement checks the limits and reserves, so that concurrent attempts cannot exceed the limits.
            try database.cachedStatement(
                sql: """
                    INSERT INTO attempt (registration, id, time)
                    SELECT id, ?1, ?2 FROM registration
                    WHERE hash = ?3 AND state = ?4 AND revoked IS NULL AND deviceKey IS ?8 AND ?9
                        AND failures + (
                            SELECT count(*) FROM attempt WHERE attempt.registration = registration.id AND wrong = 0
                        ) < ?5
                        AND (
                            SELECT count(*) FROM attempt
                            WHERE attempt.registration = registration.id AND (wrong = 0 OR time > ?6)
                        ) < ?7
                    """
            ).execute(arguments: [
                id, now, Data(hash), RegistrationEntry.State.registered.rawValue, limits.inARow,
                limits.start(at: now), limits.recent, origin.key.map { Data($0) }, origin.isTaken,
            ])
            let isReserved = database.changesCount == 1
            guard let row = try Self.attempts(hash, limits: limits, now: now, in: database),
                row["state"] == RegistrationEntry.State.registered.rawValue
            else { return .unregistered }
            let key = (row["deviceKey"] as Data?).map { Array($0) }
            guard key == origin.key else { return .unregistered }
            guard origin.isTaken else { return .withoutKey(device: row["number"], user: row["user"]) }
            let (failures, recent): (Int, Int) = (row["failures"], row["recent"])
            let (wrong, seen): (Int, Int) = (row["wrong"], row["seen"])
            let isConfirmed = row["confirmed"] as Int64? != nil
            let left = limits.left(inARow: failures, recent: recent)
            if isReserved {
                if case .direct(let commitment) = origin {
                    try Self.use(commitment, of: row["id"], now: time, in: database)
                }
                let leftAfterRight = limits.left(inARow: 0, recent: recent)
                let history = AttemptHistory(
                    wrongBefore: max(0, wrong - seen),
                    left: leftAfterRight < limits.inARow || leftAfterRight == 1 ? leftAfterRight : nil)
                return .reserved(
                    Reservation(
                        id: id, registration: row["id"], user: row["user"], wrong: wrong, history: history,
                        isClean: failures == 0 && wrong == seen && isConfirmed,
                        left: max(0, left - (row["reserved"] as Int))))
            }
            guard row["revoked"] as Int64? == nil else { return .revoked(user: row["user"]) }
            guard left == 0 else { return .full }
            if failures < limits.inARow {
                // `failures` stores a block by the longer limit as well, because the later steps of a login check it.
                try database.execute(
                    sql: """
                        UPDATE registration SET failures = :inARow
                        WHERE id = :id AND failures < :inARow AND \(Self.recentWrong) >= :recent
                        """,
                    arguments: [
                        "inARow": limits.inARow, "id": row["id"] as Int64, "start": limits.start(at: now),
                        "recent": limits.recent,
                    ])
            }
            return .blocked(user: row["user"])
        }
    }

    /// Removes the reservation of an attempt that was not verified.
    static func withdraw(_ reservation: Reservation, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM attempt WHERE registration = ? AND id = ? AND wrong = 0")
            .execute(arguments: [reservation.registration, reservation.id])
    }

    /// Settles a right attempt: removes the reservation, forgets the wrong PINs before it, and records a first login,
    /// after which the code that made the registration cannot be used again.
    static func settleRight(
        _ reservation: Reservation, limits: AttemptLimits, now: Int64, in database: Database
    ) throws {
        try withdraw(reservation, in: database)
        guard !reservation.isClean else { return }
        // A right PIN does not lift a block by the longer limit.
        try database.cachedStatement(
            sql: """
                UPDATE registration SET
                    failures = CASE
                        WHEN (
                            SELECT count(*) FROM attempt
                            WHERE attempt.registration = registration.id AND attempt.wrong = 1 AND time > :start
                        ) >= :recent THEN failures
                        ELSE min(failures, wrong - :known) END,
                    seen = max(seen, :known),
                    confirmed = CASE WHEN revoked IS NULL THEN coalesce(confirmed, :now) ELSE confirmed END
                WHERE id = :id
                """
        ).execute(arguments: [
            "start": limits.start(at: now), "recent": limits.recent, "known": reservation.wrong, "now": now,
            "id": reservation.registration,
        ])
    }

    /// Settles a wrong attempt: from now on it counts as a wrong PIN.
    static func settleWrong(
        _ attempt: Int64, of registration: Int64, limits: AttemptLimits, now: Timestamp, event: (Int) -> AuditEvent,
        in database: Database
    ) throws -> Int {
        try database.cachedStatement(
            sql: "UPDATE attempt SET wrong = 1 WHERE registration = ? AND id = ? AND wrong = 0"
        ).execute(arguments: [registration, attempt])
        let isCounted = database.changesCount == 1
        if isCounted {
            try database.cachedStatement(sql: "DELETE FROM attempt WHERE registration = ? AND wrong = 1 AND time <= ?")
                .execute(arguments: [registration, limits.start(at: now.seconds)])
            try database.cachedStatement(
                sql: """
                    UPDATE registration SET wrong = wrong + 1, failures = CASE
                        WHEN (
                            SELECT count(*) FROM attempt
                            WHERE attempt.registration = registration.id AND attempt.wrong = 1
                        ) >= :recent THEN max(failures + 1, :inARow)
                        ELSE failures + 1 END
                    WHERE id = :id
                    """
            ).execute(arguments: ["recent": limits.recent, "inARow": limits.inARow, "id": registration])
        }
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT failures, (
                        SELECT count(*) FROM attempt
                        WHERE attempt.registration = registration.id AND attempt.wrong = 1 AND time > ?
                    ) AS recent FROM registration WHERE id = ?
                    """), arguments: [limits.start(at: now.seconds), registration])
        let left = row.map { limits.left(inARow: $0["failures"], recent: $0["recent"]) } ?? 0
        if isCounted { try record([event(left)], in: database) }
        return left
    }

    /// Counts attempts as wrong PINs that the previous process had reserved and not settled, because their outcome is
    /// unknown.
    package func settleForgottenAttempts(limits: AttemptLimits, now: Timestamp) throws(ServerError) {
        let start = limits.start(at: now.seconds)
        let found = try read { database in
            try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM attempt WHERE wrong = 0)") ?? false
        }
        guard found else { return }
        try write { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT attempt.id AS attempt, registration.id AS registration, registration.user AS user
                    FROM attempt JOIN registration ON registration.id = attempt.registration
                    WHERE attempt.wrong = 0 ORDER BY attempt.time
                    """)
            for row in rows {
                _ = try Self.settleWrong(
                    row["attempt"], of: row["registration"], limits: limits, now: now,
                    event: { left in AuditEvent(.wrongPIN(left: left, wasCutOff: true), at: now, user: row["user"]) },
                    in: database)
            }
            try database.execute(
                sql: """
                    DELETE FROM attempt
                    WHERE registration NOT IN (SELECT id FROM registration) OR wrong = 1 AND time <= ?
                    """, arguments: [start])
        }
    }

    private static func attempts(
        _ hash: [UInt8], limits: AttemptLimits, now: Int64, in database: Database
    ) throws -> Row? {
        try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT id, number, user, state, failures, registration.wrong AS wrong, seen, confirmed, revoked,
                        deviceKey,
                        (
                            SELECT count(*) FROM attempt
                            WHERE attempt.registration = registration.id AND attempt.wrong = 0
                        ) AS reserved,
                        (
                            SELECT count(*) FROM attempt
                            WHERE attempt.registration = registration.id AND attempt.wrong = 1 AND time > ?
                        ) AS recent
                    FROM registration WHERE hash = ?
                    """), arguments: [limits.start(at: now), Data(hash)])
    }

    /// Settles an attempt and waits until that is committed, in one transaction with other writes.
    package func settleAttempt(
        _ settlement: Settlement, limits: AttemptLimits, durability: Durability
    ) throws(ServerError) -> Int? {
        defer { pacing.end() }
        return try group.write(durability) { try settlement.write(limits: limits, in: $0) }
    }

    /// Settles an attempt with the next commit. Waits for that commit only if no other attempt is in progress or if a
    /// request waits for the settlement.
    ///
    /// - Parameters:
    ///   - isAwaited: whether a request waits for the settlement; called after the settlement is queued.
    ///   - done: called with nil after the commit, or with the error. It must neither wait nor write.
    package func settleAttemptSoon(
        _ settlement: Settlement, limits: AttemptLimits, isAwaited: () -> Bool,
        done: @escaping @Sendable (ServerError?) -> Void
    ) { pacing.end(leaving: { _ = try settlement.write(limits: limits, in: $0) }, isAwaited: isAwaited, done: done) }

    /// Settles attempts whose settlement has failed before, in one transaction.
    package func settleAttempts(_ settlements: [Settlement], limits: AttemptLimits) throws(ServerError) {
        try group.write(.disk) { database in
            for settlement in settlements { _ = try settlement.write(limits: limits, in: database) }
        }
    }

    /// Commits the settlements that wait for the next commit. Does not wait for the disk.
    package func commitSettlements() { group.commitLeft() }
}

extension Settlement {
    /// Writes the settlement inside a transaction.
    fileprivate func write(limits: AttemptLimits, in database: Database) throws -> Int? {
        switch kind {
        case .withdrawn:
            try SQLiteStorage.withdraw(reservation, in: database)
            return nil
        case .right(let now):
            try SQLiteStorage.settleRight(reservation, limits: limits, now: now.seconds, in: database)
            return nil
        case .wrong(let now, let source):
            return try SQLiteStorage.settleWrong(
                reservation.id, of: reservation.registration, limits: limits, now: now,
                event: { left in
                    AuditEvent(
                        .wrongPIN(left: left, wasCutOff: false), at: now, user: reservation.user, source: source.text)
                }, in: database)
        }
    }
}
