internal import GRDB

/// The outcome of a reserved attempt. The reservation is on the disk and counts as much, so that this need not wait for
/// it.
struct Settlement: Sendable {
    enum Kind: Sendable {
        /// It was not verified.
        case withdrawn
        case right(at: Timestamp)
        case wrong(at: Timestamp, source: RequestSource)
    }

    /// SHA-256 of the M-Pin ID.
    let hash: [UInt8]
    let reservation: Reservation
    let kind: Kind

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

extension Store {
    /// Settles an attempt and waits until that is committed, in one transaction with other writes.
    ///
    /// - Returns: how many more wrong PINs there may be after a wrong one.
    func settle(
        _ settlement: Settlement, limits: AttemptLimits, _ durability: GroupCommit.Durability
    ) throws(ServerFault) -> Int? {
        try group.write(durability) { try settlement.write(limits: limits, in: $0) }
    }

    /// Settles attempts in one transaction, durably.
    func settle(_ settlements: [Settlement], limits: AttemptLimits) throws(ServerFault) {
        try group.write(.disk) { database in
            for settlement in settlements { _ = try settlement.write(limits: limits, in: database) }
        }
    }

    /// Leaves an attempt to be settled by the next commit.
    ///
    /// - Parameter done: called when it is committed, or with the reason why not. Must not wait, nor write.
    func settleLater(
        _ settlement: Settlement, limits: AttemptLimits, done: @escaping @Sendable (ServerFault?) -> Void
    ) {
        group.leave({ _ = try settlement.write(limits: limits, in: $0) }, done: done)
    }

    /// Commits what was left for the next commit. Does not wait for the disk.
    func commitLeft() { group.commitLeft() }
}
