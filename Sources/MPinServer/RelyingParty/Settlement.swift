internal import GRDB

/// What became of a reservation. The reservation is on the disk and counts as much, so that this need not wait for it.
struct Settlement: Sendable {
    enum Kind: Sendable {
        /// It was not judged.
        case withdrawn
        case right(at: Timestamp)
        case wrong(at: Timestamp, source: RequestSource)
    }

    /// SHA-256 of the M-Pin ID.
    let hash: [UInt8]
    let reservation: Reservation
    let kind: Kind

    /// Writes it down.
    ///
    /// - Returns: how many more wrong PINs there may be after a wrong one.
    func write(limits: AttemptLimits, in database: Database) throws -> Int? {
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
