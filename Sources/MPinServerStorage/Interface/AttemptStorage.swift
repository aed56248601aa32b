// SPDX-License-Identifier: Apache-2.0

/// The count of attempts. A reservation counts like a wrong PIN until it is settled: then it is removed, or becomes a
/// wrong PIN.
package protocol AttemptStorage: Sendable {
    /// Reserves an attempt, durably, if the limits leave room for one. A reserved attempt must be settled exactly once,
    /// by ``settleAttempt(_:limits:durability:)`` or ``settleAttemptSoon(_:limits:isAwaited:done:)``.
    ///
    /// A direct login's commitment is used up by its reservation, or by ``voidCommitment(_:of:now:)``.
    ///
    /// - Parameter origin: a registration that does not accept this origin is treated as one that does not exist.
    func reserveAttempt(
        _ hash: [UInt8], origin: AttemptOrigin, limits: AttemptLimits, now: Timestamp
    ) throws(ServerError) -> ReservationResult

    /// Uses up the commitment of a direct login whose time is too old, so that no copy of it that is on its way gets a
    /// reservation any more. One whose time is yet to come is only looked up.
    ///
    /// - Parameter hash: the registration.
    /// - Returns: false if it was used up before.
    func voidCommitment(_ commitment: SignedCommitment, of hash: [UInt8], now: Timestamp) throws(ServerError) -> Bool

    /// Settles an attempt and waits until that is committed, in one transaction with other writes.
    ///
    /// - Returns: after a wrong PIN, how many more wrong PINs there may be.
    func settleAttempt(
        _ settlement: Settlement, limits: AttemptLimits, durability: Durability
    ) throws(ServerError) -> Int?

    /// Settles an attempt with the next commit. Waits for that commit only if no other attempt is in progress or if a
    /// request waits for the settlement.
    ///
    /// - Parameters:
    ///   - isAwaited: whether a request waits for the settlement; called after the settlement is queued.
    ///   - done: called with nil after the commit, or with the error. It must neither wait nor write.
    func settleAttemptSoon(
        _ settlement: Settlement, limits: AttemptLimits, isAwaited: () -> Bool,
        done: @escaping @Sendable (ServerError?) -> Void)

    /// Settles attempts whose settlement has failed before, in one transaction.
    func settleAttempts(_ settlements: [Settlement], limits: AttemptLimits) throws(ServerError)

    /// Commits the settlements that wait for the next commit. Does not wait for the disk.
    func commitSettlements()

    /// Counts attempts as wrong PINs that the previous process had reserved and not settled, because their outcome is
    /// unknown.
    func settleForgottenAttempts(limits: AttemptLimits, now: Timestamp) throws(ServerError)
}

/// How many wrong PINs a registration may have before it is blocked.
package struct AttemptLimits: Sendable {
    /// Since the last right one.
    let inARow: Int
    /// In the last days, regardless of right PINs between them.
    let recent: Int
    /// How many days those are.
    let days: Int

    package init(inARow: Int, recent: Int, days: Int) { (self.inARow, self.recent, self.days) = (inARow, recent, days) }

    /// The time before which wrong PINs no longer count.
    func start(at now: Int64) -> Int64 { now - Int64(days) * 86_400 }

    /// How many more there may be.
    func left(inARow: Int, recent: Int) -> Int { max(0, min(self.inARow - inARow, self.recent - recent)) }
}
