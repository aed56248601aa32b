/// The count of attempts. A reservation becomes nothing or a wrong PIN, once, and counts until then.
package protocol AttemptStorage: Sendable {
    /// Reserves an attempt, durably, if the limits leave room for one. One that is reserved is settled exactly once, by
    /// ``settleAttempt(_:limits:durability:)`` or ``settleAttemptSoon(_:limits:isAwaited:done:)``.
    ///
    /// The commitment of a direct login is used up with it, and by nothing else.
    ///
    /// - Parameter origin: a registration that takes nothing of this origin is treated as one that does not exist.
    func reserveAttempt(
        _ hash: [UInt8], origin: AttemptOrigin, limits: AttemptLimits, now: Timestamp
    ) throws(ServerError) -> ReservationResult

    /// Settles an attempt and waits until that is committed, in one transaction with other writes.
    ///
    /// - Returns: how many more wrong PINs there may be after a wrong one.
    func settleAttempt(
        _ settlement: Settlement, limits: AttemptLimits, durability: Durability
    ) throws(ServerError) -> Int?

    /// Settles an attempt with the next commit. Waits for that only where it is the last one for now, or is awaited.
    ///
    /// - Parameters:
    ///   - isAwaited: whether a request waits for the settlement; called once the settlement is queued.
    ///   - done: called when it is committed, or with the reason why not. Must not wait, nor write.
    func settleAttemptSoon(
        _ settlement: Settlement, limits: AttemptLimits, isAwaited: () -> Bool,
        done: @escaping @Sendable (ServerError?) -> Void
    )

    /// Settles attempts whose settlement has failed before, in one transaction.
    func settleAttempts(_ settlements: [Settlement], limits: AttemptLimits) throws(ServerError)

    /// Commits the settlements that wait for the next commit. Does not wait for the disk.
    func commitSettlements()

    /// Counts as wrong PINs the attempts that the last process had reserved and not settled: their outcome is unknown.
    func settleForgottenAttempts(limits: AttemptLimits, now: Timestamp) throws(ServerError)
}
