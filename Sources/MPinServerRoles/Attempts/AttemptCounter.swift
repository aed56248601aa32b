// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Logging
internal import MPinServerStorage
import Synchronization

/// Counts attempts: reserves each one before it is verified, and settles it before anything reports its result.
///
/// The reservation is durable before anything is verified, and counts like a wrong PIN as long as it is valid. An
/// attempt whose settlement was not committed has revealed nothing, so it counts as nothing once its reservation expires.
final class AttemptCounter: Sendable {
    /// How long a request waits for others whose attempts are being verified.
    private static let patience = DispatchTimeInterval.seconds(2)

    /// How often and how long a request waits for a reservation of which this process does not know.
    private static let (rounds, moment) = (5, DispatchTimeInterval.milliseconds(20))

    private let store: SQLiteStorage
    private let current: Mutex<AttemptLimits>
    private var limits: AttemptLimits { current.withLock { $0 } }
    private let logger: Logger
    private let waiters = ReservationWaiters()

    /// First expires the reservations of the previous process. Only one process serves a directory.
    init(store: SQLiteStorage, limits: AttemptLimits, logger: Logger) throws(ServerError) {
        self.store = store
        current = Mutex(limits)
        self.logger = logger
        try store.expireReservations()
    }

    /// Applies other limits from the next attempt on.
    func adopt(_ limits: AttemptLimits) { current.withLock { $0 = limits } }

    /// Reserves an attempt durably. Waits for attempts in progress if they and this one would exceed the limit.
    ///
    /// - Throws: ``Refusal`` if nothing can be written, or if the others take too long.
    func reserve(_ hash: [UInt8], origin: AttemptOrigin, at now: Timestamp) throws(Refusal) -> ReservationResult {
        let lease = Int64.random(in: 1...Int64.max)
        let first = try ask(lease, hash, origin: origin, at: now)
        guard case .full = first else { return first }
        let deadline = DispatchTime.now() + Self.patience
        var rounds = 0
        while true {
            let waiter = waiters.join(hash)
            defer { waiters.leave(waiter, hash) }
            let next = try ask(lease, hash, origin: origin, at: now)
            guard case .full = next else { return next }
            if !waiters.isAnyInProgress(hash) {
                // Reservations whose settlement failed only expire, and a thread that waits for that is missing
                // elsewhere. A new one is known a moment after it was made.
                guard rounds < Self.rounds else {
                    throw Refusal(
                        503, "Results of other logins could not be recorded; nothing was counted, try again later",
                        retryAfter: 30)
                }
                rounds += 1
                _ = waiter.wait(timeout: .now() + Self.moment)
                continue
            }
            guard waiter.wait(timeout: deadline) == .success else {
                throw Refusal(
                    503, "Other logins of this registration are still being verified; nothing was counted, try again",
                    retryAfter: 2)
            }
        }
    }

    /// Removes the reservation of an attempt that does not count.
    func withdraw(_ reservation: Reservation, at now: Timestamp, source: RequestSource) throws(Refusal) {
        try settle(reservation) { () throws(ServerError) in
            try store.withdrawAttempt(reservation, limits: limits, now: now, source: source) ? () : nil
        }
    }

    /// Settles a right attempt.
    func right(_ reservation: Reservation, at now: Timestamp, source: RequestSource) throws(Refusal) {
        try settle(reservation) { () throws(ServerError) in
            try store.settleRight(reservation, limits: limits, now: now, source: source) ? () : nil
        }
    }

    /// Settles a wrong attempt.
    ///
    /// - Returns: how many tries are left.
    func wrong(_ reservation: Reservation, at now: Timestamp, source: RequestSource) throws(Refusal) -> Int {
        try settle(reservation) { () throws(ServerError) in
            try store.settleWrong(reservation, limits: limits, now: now, source: source)
        }
    }

    private func ask(
        _ lease: Int64, _ hash: [UInt8], origin: AttemptOrigin, at now: Timestamp
    ) throws(Refusal) -> ReservationResult {
        do throws(ServerError) {
            let result = try store.reserveAttempt(lease, hash, origin: origin, limits: limits, now: now)
            if case .reserved = result { waiters.begin(hash) }
            return result
        } catch {
            logger.error("cannot record login attempts", metadata: ["reason": "\(error.message)"])
            throw .unwritable
        }
    }

    /// - Parameter write: returns nil if the reservation has expired.
    /// - Throws: ``Refusal/unsettled``. The log does not show either whether the attempt was right.
    private func settle<T>(_ reservation: Reservation, _ write: () throws(ServerError) -> T?) throws(Refusal) -> T {
        defer { waiters.end(reservation.hash) }
        let reason: String
        do throws(ServerError) {
            if let result = try write() { return result }
            reason = "its reservation has expired"
        } catch { reason = error.message }
        logger.error("cannot record the result of a login attempt", metadata: ["reason": "\(reason)"])
        throw .unsettled
    }
}

/// The attempts in progress, and the requests that wait until another one at the same registration is settled.
final class ReservationWaiters: Sendable {
    private let waiting = Mutex<[[UInt8]: [DispatchSemaphore]]>([:])
    private let inProgress = Mutex<[[UInt8]: Int]>([:])

    func begin(_ hash: [UInt8]) { inProgress.withLock { $0[hash, default: 0] += 1 } }

    /// Ends an attempt, and announces it.
    func end(_ hash: [UInt8]) {
        inProgress.withLock { count in
            let left = (count[hash] ?? 1) - 1
            count[hash] = left > 0 ? left : nil
        }
        announce(hash)
    }

    func isAnyInProgress(_ hash: [UInt8]) -> Bool { inProgress.withLock { $0[hash] != nil } }

    /// Begins to wait. A request that reads the state of the registration afterwards misses no announcement.
    func join(_ hash: [UInt8]) -> DispatchSemaphore {
        let waiter = DispatchSemaphore(value: 0)
        waiting.withLock { $0[hash, default: []].append(waiter) }
        return waiter
    }

    func leave(_ waiter: DispatchSemaphore, _ hash: [UInt8]) {
        waiting.withLock { waiting in
            waiting[hash]?.removeAll { $0 === waiter }
            if waiting[hash]?.isEmpty == true { waiting[hash] = nil }
        }
    }

    private func announce(_ hash: [UInt8]) {
        guard let waiters = waiting.withLock({ $0.removeValue(forKey: hash) }) else { return }
        for waiter in waiters { waiter.signal() }
    }
}
