internal import GRDB

extension Store {
    /// Settles an attempt and waits until that is committed, in one transaction with other writes.
    ///
    /// - Returns: how many more wrong PINs there may be after a wrong one.
    package func settle(
        _ settlement: Settlement, limits: AttemptLimits, _ durability: Durability
    ) throws(ServerFault) -> Int? {
        try group.write(durability) { try settlement.write(limits: limits, in: $0) }
    }

    /// Settles attempts in one transaction, durably.
    package func settle(_ settlements: [Settlement], limits: AttemptLimits) throws(ServerFault) {
        try group.write(.disk) { database in
            for settlement in settlements { _ = try settlement.write(limits: limits, in: database) }
        }
    }

    /// Leaves an attempt to be settled by the next commit.
    ///
    /// - Parameter done: called when it is committed, or with the reason why not. Must not wait, nor write.
    package func settleLater(
        _ settlement: Settlement, limits: AttemptLimits, done: @escaping @Sendable (ServerFault?) -> Void
    ) {
        group.leave({ _ = try settlement.write(limits: limits, in: $0) }, done: done)
    }

    /// Commits what was left for the next commit. Does not wait for the disk.
    package func commitLeft() { group.commitLeft() }
}

extension Settlement {
    /// Writes it inside a transaction.
    ///
    /// - Returns: how many more wrong PINs there may be after a wrong one.
    fileprivate func write(limits: AttemptLimits, in database: Database) throws -> Int? {
        switch kind {
        case .withdrawn:
            try Store.withdraw(reservation, in: database)
            return nil
        case .right(let now):
            try Store.settleRight(reservation, limits: limits, now: now.seconds, in: database)
            return nil
        case .wrong(let now, let source):
            return try Store.settleWrong(
                reservation.id, of: reservation.registration, limits: limits, now: now,
                event: { left in
                    AuditEvent(
                        left == 0 ? .blocked : .wrongPIN, at: now, user: reservation.user, source: source.text,
                        detail: "\(left) left")
                }, in: database)
        }
    }
}
