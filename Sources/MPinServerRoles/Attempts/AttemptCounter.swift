// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Logging
internal import MPinServerStorage
import Synchronization

/// Counts attempts: reserves each one before it is verified, and settles it afterwards.
///
/// The reservation is durable before anything is verified. It counts like a wrong PIN as long as it exists, so no later
/// failure gives more tries, neither a full disk nor the end of the process. That is why few settlements wait for the
/// disk (see ``right(_:_:at:)``), and why a failed settlement refuses no login: it is retried until it is written, or
/// counted as a wrong PIN at the next start of the server.
final class AttemptCounter: Sendable {
    /// How long a request waits for others whose attempts are being verified.
    private static let patience = DispatchTimeInterval.seconds(2)

    private let store: SQLiteStorage
    private let current: Mutex<AttemptLimits>
    private var limits: AttemptLimits { current.withLock { $0 } }
    private let logger: Logger
    private let waiters = ReservationWaiters()
    /// Settlements that could not be written yet.
    private let unwritten = Mutex<[Settlement]>([])

    /// First counts attempts as wrong PINs whose verification was cut off by the end of the previous process.
    init(store: SQLiteStorage, limits: AttemptLimits, logger: Logger, clock: ServerClock) throws(ServerError) {
        self.store = store
        current = Mutex(limits)
        self.logger = logger
        try store.settleForgottenAttempts(limits: limits, now: clock.now)
    }

    /// Applies other limits from the next attempt on.
    func adopt(_ limits: AttemptLimits) { current.withLock { $0 = limits } }

    /// Reserves an attempt durably. Waits for attempts in progress if they and this one would exceed the limit.
    ///
    /// - Throws: ``Refusal`` if nothing can be written, or if the others take too long.
    func reserve(_ hash: [UInt8], origin: AttemptOrigin, at now: Timestamp) throws(Refusal) -> ReservationResult {
        // While another process holds the lock, a second statement would only wait for it again.
        guard writeUnwritten()?.kind != .unavailable else { throw Self.unwritable }
        let first = try ask(hash, origin: origin, at: now)
        guard case .full = first else { return first }
        let deadline = DispatchTime.now() + Self.patience
        var isInTime = true
        while isInTime {
            let waiter = waiters.join(hash)
            defer { waiters.leave(waiter, hash) }
            let next = try ask(hash, origin: origin, at: now)
            guard case .full = next else { return next }
            isInTime = waiter.wait(timeout: deadline) == .success
        }
        throw Refusal(
            503, "Other logins of this registration are still being verified; nothing was counted, try again",
            retryAfter: 2)
    }

    /// Removes the reservation of an attempt that was not verified.
    func withdraw(_ reservation: Reservation, _ hash: [UInt8]) {
        submit(Settlement(hash: hash, reservation: reservation, kind: .withdrawn))
    }

    /// Settles a right attempt. It stays right even if the settlement cannot be written.
    func right(_ reservation: Reservation, _ hash: [UInt8], at now: Timestamp) {
        let settlement = Settlement(hash: hash, reservation: reservation, kind: .right(at: now))
        if reservation.isClean && reservation.left > 0 {
            submit(settlement)
        } else {
            // A first login uses up the invitation code of the registration, and a login after wrong PINs forgives
            // those. These wait for the disk, because each settlement that is lost with the process counts as one more
            // wrong PIN.
            _ = write(settlement, .disk)
        }
    }

    /// Settles a wrong attempt.
    func wrong(_ reservation: Reservation, _ hash: [UInt8], at now: Timestamp, source: RequestSource) -> Int {
        // Until the settlement is written, the reservation counts instead.
        write(Settlement(hash: hash, reservation: reservation, kind: .wrong(at: now, source: source)), .process)
            ?? reservation.left
    }

    /// How many settlements could not be written yet.
    var unwrittenCount: Int { unwritten.withLock(\.count) }

    /// Writes the settlements that wait, and retries those that failed.
    func flush() {
        store.commitSettlements()
        _ = writeUnwritten()
    }

    /// - Returns: the error if it could not be written.
    private func writeUnwritten() -> ServerError? {
        let again = unwritten.withLock { unwritten in
            defer { unwritten = [] }
            return unwritten
        }
        guard !again.isEmpty else { return nil }
        let limits = limits
        do throws(ServerError) {
            try store.settleAttempts(again, limits: limits)
            for settlement in again { waiters.announce(settlement.hash) }
            return nil
        } catch {
            unwritten.withLock { $0 = again + $0 }
            return error
        }
    }

    private static let unwritable = Refusal(
        503, "The server cannot record login attempts; nothing was verified or counted, try again later", retryAfter: 10
    )

    private func ask(
        _ hash: [UInt8], origin: AttemptOrigin, at now: Timestamp
    ) throws(Refusal) -> ReservationResult {
        do throws(ServerError) {
            return try store.reserveAttempt(hash, origin: origin, limits: limits, now: now)
        } catch {
            logger.error("cannot record login attempts", metadata: ["reason": "\(error.message)"])
            throw Self.unwritable
        }
    }

    /// Writes a settlement and waits until it is committed.
    private func write(_ settlement: Settlement, _ durability: Durability) -> Int? {
        let limits = limits
        var left: Int?
        var fault: ServerError?
        do throws(ServerError) {
            left = try store.settleAttempt(settlement, limits: limits, durability: durability)
        } catch { fault = error }
        end(settlement, fault)
        return left
    }

    /// Leaves a settlement to a commit that comes soon.
    private func submit(_ settlement: Settlement) {
        store.settleAttemptSoon(
            settlement, limits: limits, isAwaited: { waiters.isAwaited(settlement.hash) },
            done: { [self] fault in end(settlement, fault) })
    }

    private func end(_ settlement: Settlement, _ fault: ServerError?) {
        if let fault {
            unwritten.withLock { $0.append(settlement) }
            logger.error(
                "cannot record the result of a login attempt, will retry", metadata: ["reason": "\(fault.message)"])
        }
        waiters.announce(settlement.hash)
    }
}

/// The requests that wait until another attempt at the same registration is settled.
final class ReservationWaiters: Sendable {
    private let waiting = Mutex<[[UInt8]: [DispatchSemaphore]]>([:])

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

    /// Whether a request waits for a registration.
    func isAwaited(_ hash: [UInt8]) -> Bool { waiting.withLock { $0[hash] != nil } }

    func announce(_ hash: [UInt8]) {
        guard let waiters = waiting.withLock({ $0.removeValue(forKey: hash) }) else { return }
        for waiter in waiters { waiter.signal() }
    }
}
