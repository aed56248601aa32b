// SPDX-License-Identifier: Apache-2.0
internal import GRDB

extension SQLiteStorage {
    package func settleAttempt(
        _ settlement: Settlement, limits: AttemptLimits, durability: Durability
    ) throws(ServerError) -> Int? {
        defer { pacing.end() }
        return try group.write(durability) { try settlement.write(limits: limits, in: $0) }
    }

    package func settleAttemptSoon(
        _ settlement: Settlement, limits: AttemptLimits, isAwaited: () -> Bool,
        done: @escaping @Sendable (ServerError?) -> Void
    ) { pacing.end(leaving: { _ = try settlement.write(limits: limits, in: $0) }, isAwaited: isAwaited, done: done) }

    package func settleAttempts(_ settlements: [Settlement], limits: AttemptLimits) throws(ServerError) {
        try group.write(.disk) { database in
            for settlement in settlements { _ = try settlement.write(limits: limits, in: database) }
        }
    }

    package func commitSettlements() { group.commitLeft() }
}

extension Settlement {
    /// Writes the settlement inside a transaction.
    ///
    /// - Returns: after a wrong PIN, how many more wrong PINs there may be.
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
