// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerStorage
import Testing

/// The rules of the count in all orders of the statements that reserve and settle attempts.
@Suite(.onSQLite) struct AttemptOrderTests {
    private static let isFast = ProcessInfo.processInfo.environment["MPIN_FAST"] == "yes"
    /// Two attempts share a commitment, and one of them has the right PIN.
    static let attempts: [AttemptOrders.Attempt] = [
        .init(commitment: 1, isRight: false), .init(commitment: 1, isRight: true),
        .init(commitment: 2, isRight: false), .init(commitment: 3, isRight: false),
    ]

    private func orders(
        _ count: Int, _ steps: AttemptOrders.Steps, mostDisturbances: Int? = 3
    ) throws -> AttemptOrders {
        let (fixture, alice) = try Fixture.withDevice()
        let orders = try AttemptOrders(
            alice, Array(Self.attempts.prefix(count)), steps, mostDisturbances: mostDisturbances)
        try fixture.storage.write { try orders.run($0) }
        return orders
    }

    static func limits(_ inARow: Int, recent: Int = 9) -> AttemptLimits {
        AttemptLimits(inARow: inARow, recent: recent, days: 30)
    }

    @Test(arguments: isFast ? [(1, 9)] : [(1, 9), (2, 9), (9, 1)])
    func `no order of three attempts breaks a rule`(inARow: Int, recent: Int) throws {
        let orders = try orders(
            3, .init(Self.limits(inARow, recent: recent)), mostDisturbances: nil)
        #expect(orders.fault == nil)
        print("note: orders of three attempts: \(orders.states) states")
        #expect(orders.states > 5_000)
    }

    @Test(.enabled(if: !isFast)) func `no order of four attempts breaks a rule`() throws {
        let orders = try orders(4, .init(Self.limits(2)))
        #expect(orders.fault == nil)
        print("note: orders of four attempts: \(orders.states) states")
        #expect(orders.states > 100_000)
    }

    @Test func `a settlement that ignores its reservation breaks a rule`() throws {
        var steps = AttemptOrders.Steps(Self.limits(2))
        let real = steps.settle
        steps.settle = { connection, reservation, isRight in
            guard !isRight else { return try real(connection, reservation, isRight) }
            try connection.execute("UPDATE attempt SET wrong = 1 WHERE wrong = 0")
            try connection.execute(
                """
                UPDATE registration SET reserved = CASE reserved WHEN 0 THEN 0 ELSE reserved - 1 END,
                    failures = failures + 1, wrong = wrong + 1, recent = recent + 1
                """)
            return true
        }
        #expect(try orders(3, steps).fault != nil)
    }

    @Test func `an answer without a settlement breaks a rule`() throws {
        var steps = AttemptOrders.Steps(Self.limits(1))
        steps.needsSettlement = false
        #expect(try orders(3, steps).fault?.hasPrefix("a wrong PIN was told and not counted") == true)
    }

    @Test func `a reservation that reads the count before it writes breaks a rule`() throws {
        var steps = AttemptOrders.Steps(Self.limits(1))
        steps.look = { try $0.value("SELECT failures + reserved < 1 FROM registration") ?? false }
        steps.limitsOfReservation = Self.limits(99, recent: 99)
        #expect(try orders(3, steps).fault?.hasPrefix("too many wrong PINs in a row") == true)
    }
}
