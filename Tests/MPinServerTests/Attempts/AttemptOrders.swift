// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinCrypto
import MPinServer
import MPinServerStorage

/// Runs all orders of the statements of some attempts at one registration, on a real database, and looks for a state in
/// which a rule of the count is broken. After each step, a savepoint takes the database back to try the next one.
final class AttemptOrders: @unchecked Sendable {
    /// What a server does for an attempt. A test replaces a step by a faulty one.
    struct Steps {
        var limits: AttemptLimits
        /// Looks whether there is room, as a step of its own.
        var look: ((any Connection) throws -> Bool)?
        var limitsOfReservation: AttemptLimits?
        /// - Returns: whether the settlement has found its reservation.
        var settle: (any Connection, Reservation, _ isRight: Bool) throws -> Bool
        /// Whether the server waits for the settlement before it answers.
        var needsSettlement = true

        init(_ limits: AttemptLimits) {
            self.limits = limits
            settle = { connection, reservation, isRight in
                isRight
                    ? try ServerStorage.settleRight(reservation, limits: limits, now: now, in: connection)
                    : try ServerStorage.settleWrong(reservation, limits: limits, now: now, in: connection) != nil
            }
        }
    }

    struct Attempt {
        let commitment: UInt8
        let isRight: Bool
    }

    private enum Phase: Hashable {
        case idle, looked(Bool), asked, holds, unsure, over
    }

    /// What the server and the world know of one attempt.
    private struct Course: Hashable {
        var phase = Phase.idle
        /// All wrong PINs before its reservation, and with it.
        var known = 0
        var number: Int?
        var isTold = false
    }

    private struct World: Hashable {
        var courses: [Course]
        /// Which attempt has reserved a commitment.
        var owners: [UInt8: Int] = [:]
        /// The wrong PINs that a right PIN or an administrator has forgiven, by their number.
        var forgiven = 0
        var cleared = 0
        var hasExpired: Set<Int> = []
        var isRevoked = false
        var isUnblocked = false
        var isRestarted = false
        /// How many of its steps were not those of a login that nothing happens to.
        var disturbances = 0
    }

    private struct State: Hashable {
        let world: World
        let rows: [Row]
    }

    static let now = Timestamp(seconds: 1_700_000_000)
    private let steps: Steps
    private let attempts: [Attempt]
    /// Nil if their number is not limited.
    private let mostDisturbances: Int?
    private let (hash, key): ([UInt8], [UInt8])
    private var visited: Set<State> = []
    private var reservations: [Int: Reservation] = [:]
    private var path: [String] = []
    /// The first broken rule, and the steps that led to it.
    private(set) var fault: String?
    var states: Int { visited.count }

    init(_ device: Device, _ attempts: [Attempt], _ steps: Steps, mostDisturbances: Int?) throws {
        (self.attempts, self.steps, self.mostDisturbances) = (attempts, steps, mostDisturbances)
        (hash, key) = (try Hash.sha256(unhex(device.enrolled.mpinID)), device.key.publicKey)
    }

    func run(_ connection: any Connection) throws {
        try connection.savepoint {
            try visit(World(courses: attempts.map { _ in Course() }), connection)
            return false
        }
    }

    private func visit(_ world: World, _ connection: any Connection) throws {
        let rows = try Self.rows(connection)
        let state = State(world: world, rows: rows)
        guard fault == nil, visited.insert(state).inserted else { return }
        if let broken = try broken(world, rows) {
            fault = "\(broken) after \(path.joined(separator: ", ")): \(rows)"
            return
        }
        for step in possible(world) where !step.isDisturbance || world.disturbances < mostDisturbances ?? .max {
            path.append(step.name)
            let held = reservations
            try connection.execute("SAVEPOINT step")
            var next = world
            if step.isDisturbance, mostDisturbances != nil { next.disturbances += 1 }
            do {
                try step.body(&next, connection)
                try visit(next, connection)
            } catch { fault = fault ?? "\(error) after \(path.joined(separator: ", "))" }
            try connection.execute("ROLLBACK TO step")
            try connection.execute("RELEASE step")
            reservations = held
            path.removeLast()
        }
    }

    /// The row of the registration, the rows of its attempts, and the number of commitments.
    private static func rows(_ connection: any Connection) throws -> [Row] {
        try connection.rows("SELECT failures, reserved, recent, wrong, seen, confirmed FROM registration")
            + connection.rows("SELECT id, time, wrong FROM attempt ORDER BY id")
            + connection.rows("SELECT count(*) AS commitments FROM commitment")
    }

    /// The rule that a state breaks.
    private func broken(_ world: World, _ rows: [Row]) throws -> String? {
        let (row, attempted) = (rows[0], rows.dropFirst().dropLast())
        let told = world.courses.indices.filter { world.courses[$0].isTold && !attempts[$0].isRight }
        let numbers = told.compactMap { world.courses[$0].number }
        if try numbers.count < told.count || told.count > row["wrong"] { return "a wrong PIN was told and not counted" }
        if numbers.count(where: { $0 > world.forgiven }) > steps.limits.inARow { return "too many wrong PINs in a row" }
        if numbers.count(where: { $0 > world.cleared }) > steps.limits.recent { return "too many wrong PINs" }
        func count(_ wrong: Int) throws -> Int { try attempted.count { try $0["wrong"] == wrong } }
        if try row["reserved"] != count(0) || row["recent"] != count(1) {
            return "the columns differ from the rows"
        }
        return nil
    }

    private struct Step {
        let name: String
        var isDisturbance = true
        let body: (inout World, any Connection) throws -> Void
    }

    private func possible(_ world: World) -> [Step] {
        var result: [Step] = []
        for (index, course) in world.courses.enumerated() {
            func usually(_ name: String, _ body: @escaping (inout World, any Connection) throws -> Void) {
                result.append(Step(name: "\(name) \(index)", isDisturbance: false, body: body))
            }
            func rarely(_ name: String, _ body: @escaping (inout World, any Connection) throws -> Void) {
                result.append(Step(name: "\(name) \(index)", body: body))
            }
            let reserve = {
                usually("reserve") { try self.reserve(index, isLost: false, &$0, $1) }
                rarely("reserve and lose the answer") { try self.reserve(index, isLost: true, &$0, $1) }
            }
            let settle = { usually("settle") { try self.settle(index, isLost: false, &$0, $1) } }
            switch course.phase {
            case .idle:
                if let look = steps.look {
                    usually("look") { $0.courses[index].phase = .looked(try look($1)) }
                } else {
                    reserve()
                }
            case .looked(let hasRoom): if hasRoom { reserve() }
            case .asked: usually("reserve again") { try self.reserve(index, isLost: false, &$0, $1) }
            case .holds:
                settle()
                rarely("settle and lose the answer") { try self.settle(index, isLost: true, &$0, $1) }
            case .unsure: settle()
            case .over: continue
            }
            if course.phase != .idle { rarely("kill") { world, _ in world.courses[index].phase = .over } }
            if !world.hasExpired.contains(index), [.asked, .holds].contains(course.phase) {
                rarely("expire") {
                    $0.hasExpired.insert(index)
                    try $1.execute("UPDATE attempt SET time = time - 31 WHERE wrong = 0 AND id = \(index + 1)")
                }
            }
        }
        return result + common(world)
    }

    private func common(_ world: World) -> [Step] {
        var result: [Step] = []
        if !world.isRevoked {
            result.append(
                Step(name: "revoke") {
                    $0.isRevoked = true
                    try $1.execute("UPDATE registration SET revoked = 1, revoker = 'user'")
                })
        }
        if !world.isUnblocked {
            result.append(
                Step(name: "unblock") { [steps] in
                    $0.isUnblocked = true
                    let numbers = try ServerStorage.clearWrong(
                        "alice", device: 1, limits: steps.limits, now: Self.now.seconds, in: $1)
                    if !numbers.isEmpty { ($0.forgiven, $0.cleared) = (try Self.wrong($1), try Self.wrong($1)) }
                })
        }
        if !world.isRestarted {
            result.append(
                Step(name: "kill and restart the server") {
                    $0.isRestarted = true
                    for index in $0.courses.indices where $0.courses[index].phase != .idle {
                        $0.courses[index].phase = .over
                    }
                    try ServerStorage.expireReservations(in: $1)
                })
        }
        return result
    }

    private static func wrong(_ connection: any Connection) throws -> Int { try rows(connection)[0]["wrong"] }

    private func reserve(_ index: Int, isLost: Bool, _ world: inout World, _ connection: any Connection) throws {
        let attempt = attempts[index]
        let commitment = SignedCommitment(
            key: key, hash: Array(repeating: attempt.commitment, count: 32), time: Self.now.milliseconds)
        let result = try ServerStorage.reserve(
            Int64(index + 1), hash, origin: .direct(commitment), limits: steps.limitsOfReservation ?? steps.limits,
            now: Self.now, in: connection)
        if case .reserved(let reservation) = result {
            if let owner = world.owners[attempt.commitment], owner != index { throw JudgedTwice() }
            world.owners[attempt.commitment] = index
            reservations[index] = reservation
            world.courses[index].known = reservation.wrong
            world.courses[index].phase = isLost ? .asked : .holds
        } else if isLost {
            world.courses[index].phase = .asked
        } else if case .full = result {
            world.courses[index].phase = .idle
        } else {
            world.courses[index].phase = .over
        }
    }

    private struct JudgedTwice: Error, CustomStringConvertible { let description = "a commitment was judged twice" }

    private func settle(_ index: Int, isLost: Bool, _ world: inout World, _ connection: any Connection) throws {
        guard let reservation = reservations[index] else { throw JudgedTwice() }
        let (isRight, before) = (attempts[index].isRight, try Self.wrong(connection))
        let isFound = try steps.settle(connection, reservation, isRight)
        let after = try Self.wrong(connection)
        if after > before { world.courses[index].number = after }
        if isRight && isFound { world.forgiven = max(world.forgiven, reservation.wrong) }
        world.courses[index].phase = isLost ? .unsure : .over
        world.courses[index].isTold = !isLost && (isFound || !steps.needsSettlement)
    }
}
