// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Glibc
internal import Logging
internal import MPinServerStorage
internal import MPinWire
import Synchronization

/// Counts attempts: reserves each one before it is verified, and settles it before anything reports its result.
///
/// The reservation is durable before anything is verified, and counts like a wrong PIN as long as it is valid. An
/// attempt whose settlement was not committed has no answer that depends on the PIN, so it counts as nothing once its
/// reservation expires. With PostgreSQL, a right PIN does not wait for the disk. So if the database crashes between, a
/// missing answer hints at a wrong PIN: a crash gives at most as many tries as can be reserved at the same time.
final class AttemptCounter: Sendable {
    /// How long a request waits for others whose attempts are being verified.
    private static let patience = DispatchTimeInterval.seconds(2)
    /// How long a settlement is tried again after a database on another host has failed.
    private static let settlementPatience = DispatchTimeInterval.seconds(4)

    private let store: ServerStorage
    private let current: Mutex<AttemptLimits>
    private var limits: AttemptLimits { current.withLock { $0 } }
    private let logger: Logger
    private let waiters = ReservationWaiters()

    /// First expires the reservations of the previous process. Only one process serves a directory.
    init(store: ServerStorage, limits: AttemptLimits, logger: Logger) throws(ServerError) {
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
        // On a shared database, each one that asks holds a thread, a connection and a lock. So those of one device would
        // delay the logins of others.
        guard waiters.enter(hash, atMost: store.isShared ? 8 : .max) else {
            throw Refusal(
                .limited, "Too many logins of this registration at once; nothing was counted, try again", retryAfter: 2)
        }
        defer { waiters.exit(hash) }
        let lease = Int64.random(in: 1...Int64.max)
        let deadline = DispatchTime.now() + Self.patience
        var (pause, turn) = (5, 0)
        var isInTime = true
        while isInTime {
            let waiter = waiters.join(hash)
            defer { waiters.leave(waiter, hash) }
            // Other servers may be busy with this registration, so not every question looks for the reason.
            let next = try ask(lease, hash, origin: origin, at: now, isHasty: store.isShared && turn % 8 != 0)
            turn += 1
            guard case .full = next else { return next }
            if store.isShared {
                // Other servers do not announce what they settle.
                _ = waiter.wait(timeout: min(deadline, .now() + .milliseconds(pause)))
                pause = min(2 * pause, 40)
                isInTime = .now() < deadline
            } else {
                isInTime = waiter.wait(timeout: deadline) == .success
            }
        }
        throw Refusal(
            503, "Other logins of this registration are still being verified; nothing was counted, try again",
            retryAfter: 2)
    }

    /// Removes the reservation of an attempt that does not count.
    func withdraw(_ reservation: Reservation, at now: Timestamp) throws(Refusal) {
        try settle(reservation) { () throws(ServerError) in
            try store.withdrawAttempt(reservation, limits: limits, now: now) ? () : nil
        }
    }

    /// Settles a right attempt.
    func right(_ reservation: Reservation, at now: Timestamp) throws(Refusal) {
        try settle(reservation) { () throws(ServerError) in
            try store.settleRight(reservation, limits: limits, now: now) ? () : nil
        }
    }

    /// Settles a wrong attempt, and then records its event. Not at once, because that needs more room on the disk than a
    /// right attempt: a refusal would show that the PIN was wrong, and it would not be counted.
    ///
    /// - Returns: how many tries are left.
    func wrong(_ reservation: Reservation, at now: Timestamp, source: RequestSource) throws(Refusal) -> Int {
        let count = try settle(reservation) { () throws(ServerError) in
            try store.settleWrong(reservation, limits: limits, now: now)
        }
        let event = AuditEvent(.wrongPIN(left: count.left), at: now, user: reservation.user, source: source.text)
        do throws(ServerError) { try store.record([event]) } catch {
            logger.error("cannot record a wrong PIN", metadata: ["reason": "\(error.message)"])
            throw .unsettled
        }
        return count.left
    }

    private func ask(
        _ lease: Int64, _ hash: [UInt8], origin: AttemptOrigin, at now: Timestamp, isHasty: Bool = false
    ) throws(Refusal) -> ReservationResult {
        do throws(ServerError) {
            return try store.reserveAttempt(
                lease, hash, origin: origin, limits: limits, now: now, isHasty: isHasty)
        } catch {
            logger.error("cannot record login attempts", metadata: ["reason": "\(error.message)"])
            throw .unwritable
        }
    }

    /// - Parameter write: returns nil if the reservation has expired.
    /// - Throws: ``Refusal/unsettled``. The log does not show either whether the attempt was right.
    private func settle<T>(_ reservation: Reservation, _ write: () throws(ServerError) -> T?) throws(Refusal) -> T {
        defer { waiters.announce(reservation.hash) }
        var end: DispatchTime?
        var reason = "its reservation has expired"
        while true {
            do throws(ServerError) {
                if let result = try write() { return result }
                break
            } catch {
                reason = error.message
                // A database that has crashed, or was replaced by its standby, may be back soon.
                let last = end ?? .now() + Self.settlementPatience
                end = last
                guard store.isShared, error.kind == .unavailable, .now() < last else { break }
                usleep(50_000)
            }
        }
        logger.error("cannot record the result of a login attempt", metadata: ["reason": "\(reason)"])
        throw .unsettled
    }
}

/// The requests that wait until another attempt at the same registration is settled.
final class ReservationWaiters: Sendable {
    private let asking = Mutex<[[UInt8]: Int]>([:])
    private let waiting = Mutex<[[UInt8]: [DispatchSemaphore]]>([:])

    /// Begins to ask for a reservation.
    ///
    /// - Returns: false if so many do that already.
    func enter(_ hash: [UInt8], atMost limit: Int) -> Bool {
        asking.withLock { asking in
            guard asking[hash] ?? 0 < limit else { return false }
            asking[hash, default: 0] += 1
            return true
        }
    }

    func exit(_ hash: [UInt8]) {
        asking.withLock { asking in
            let count = (asking[hash] ?? 1) - 1
            asking[hash] = count > 0 ? count : nil
        }
    }

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

    func announce(_ hash: [UInt8]) {
        guard let waiters = waiting.withLock({ $0.removeValue(forKey: hash) }) else { return }
        for waiter in waiters { waiter.signal() }
    }
}
