// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinCrypto
import MPinServerStorage
import Testing

/// Writes that are repeated because the answer to the first one was lost.
@Suite(.withPostgreSQL) struct RepeatedWriteTests {
    private static let limits = AttemptLimits(inARow: 3, recent: 9, days: 1)

    private let fixture: Fixture
    private let device: Device
    private var now: Timestamp { Timestamp(seconds: fixture.clock.wall) }

    init() throws {
        fixture = try Fixture(engine: .postgresql)
        device = try fixture.device("alice")
    }

    private func reserve(_ lease: Int64, isHasty: Bool = false) throws -> ReservationResult {
        let commitment = SignedCommitment(
            key: device.key.publicKey, hash: Array(repeating: UInt8(lease), count: 32), time: now.milliseconds)
        return try fixture.storage.reserveAttempt(
            lease, Hash.sha256(unhex(device.enrolled.mpinID)), origin: .direct(commitment), limits: Self.limits,
            now: now, isHasty: isHasty)
    }

    private func reserved(_ result: ReservationResult) throws -> Reservation {
        guard case .reserved(let reservation) = result else { throw CancellationError() }
        return reservation
    }

    private func reservedAfterWrongPIN() throws -> Reservation {
        #expect(try device.login(pin: "9999", at: fixture).status == 401)
        fixture.clock.advance(1)
        return try reserved(reserve(1))
    }

    @Test func `a right PIN after wrong ones is settled once, and repeated with the same result`() throws {
        let reservation = try reservedAfterWrongPIN()
        for _ in 0..<3 {
            #expect(try fixture.storage.settleRight(reservation, limits: Self.limits, now: now))
            #expect(try fixture.columns() == [0, 1] && fixture.shown().failures == 0)
        }
        #expect(try fixture.storage.settleWrong(reservation, limits: Self.limits, now: now) == nil)
        #expect(try fixture.columns() == [0, 1])
    }

    @Test func `an attempt that does not count is withdrawn once, and repeated with the same result`() throws {
        let reservation = try reservedAfterWrongPIN()
        for _ in 0..<3 {
            #expect(try fixture.storage.withdrawAttempt(reservation, limits: Self.limits, now: now))
            #expect(try fixture.columns() == [0, 1] && fixture.shown().failures == 1)
        }
    }

    @Test func `a reservation without patience finds itself near the limit of the last days`() throws {
        try fixture.change("UPDATE registration SET recent = 7")
        for _ in 0..<2 { _ = try reserved(reserve(1, isHasty: true)) }
        #expect(try fixture.reservations() == 1)
    }

    @Test func `an event whose commit was not confirmed is recorded once`() throws {
        let event = AuditEvent(.stopped(version: "test"), at: now)
        for _ in 0..<3 { try fixture.storage.record([event]) }
        let events = "SELECT count(*) FROM audit WHERE detail LIKE '%test%'"
        #expect(try fixture.storage.read { try $0.value(events) ?? 0 } == 1)
    }
}
