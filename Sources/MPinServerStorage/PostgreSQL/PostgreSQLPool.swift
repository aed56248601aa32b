// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Foundation
import Synchronization

/// The connections to a database. A limited number, so that many nodes fit on one server.
///
/// A queue connects, because looking up a name has no deadline. A thread of its own cancels each abandoned statement:
/// queues share their threads, so many cancels that wait for a hung server would delay the next connection.
final class PostgreSQLPool: Sendable {
    private final class Waiter: Sendable {
        let turn = DispatchSemaphore(value: 0)
        let result = Mutex<Result<PostgreSQLConnection, any Error>?>(nil)
    }

    private struct State {
        var idle: [PostgreSQLConnection] = []
        /// All that are open, or that are being opened.
        var count = 0
        /// Those that are being opened.
        var opening = 0
        /// Broken ones whose statements are being canceled by the primary.
        var canceling = 0
        var waiters: [Waiter] = []
        /// The timeline and the start of the primary. Connections to another server are closed.
        var timeline: Int64 = 0
        var serverStart = ""
        /// Whether no server may be used, because two are primaries.
        var isRejected = false

        /// Closes idle connections.
        mutating func close(where isClosed: (PostgreSQLConnection) -> Bool) {
            let before = idle.count
            idle.removeAll(where: isClosed)
            count -= before - idle.count
        }
    }

    private let size: Int
    private let connect: @Sendable () throws -> PostgreSQLConnection
    private let state = Mutex(State())
    private let connecting = DispatchQueue(label: "mpin-server.postgresql.connect")

    init(size: Int, connect: @escaping @Sendable () throws -> PostgreSQLConnection) {
        (self.size, self.connect) = (size, connect)
    }

    /// How many wait for a connection.
    var waiting: Int { state.withLock(\.waiters.count) }

    /// Takes a connection. The caller gives it back.
    ///
    /// - Parameter isNew: whether it must not be one that was used before. All of those are closed.
    func take(isNew: Bool, deadline: Int64, now: Int64) throws -> PostgreSQLConnection {
        let waiter = Waiter()
        let (connection, opens) = state.withLock { state -> (PostgreSQLConnection?, Bool) in
            if isNew { state.close { _ in true } }
            if let connection = state.idle.popLast() { return (connection, false) }
            state.waiters.append(waiter)
            return (nil, addOne(&state))
        }
        if let connection { return connection }
        if opens { open() }
        if waiter.turn.wait(timeout: .now() + .milliseconds(Int(max(0, deadline - now)))) == .timedOut {
            state.withLock { $0.waiters.removeAll { $0 === waiter } }
        }
        guard let result = waiter.result.withLock({ $0 }) else {
            throw PostgreSQLError(cause: .late, state: "", message: "no connection in time")
        }
        return try result.get()
    }

    /// Gives a connection back. One that is broken is closed. So are those that were not used since it was taken: their
    /// server may be gone, too, without a sign.
    func give(_ connection: PostgreSQLConnection) {
        guard connection.isBroken else { return hand(over: connection) }
        state.withLock { state in state.close { $0.deadline <= connection.deadline } }
        end()
        // A server that hangs does not answer this either.
        let isCanceling = state.withLock { state in
            guard connection.serverStart == state.serverStart, state.canceling < size else { return false }
            state.canceling += 1
            return true
        }
        guard isCanceling else { return }
        Thread.detachNewThread { [self] in
            connection.cancel()
            state.withLock { state in
                if connection.serverStart == state.serverStart { state.canceling -= 1 }
            }
        }
    }

    /// Makes the server of a connection the primary, and closes the connections to others: those in use when they are
    /// given back.
    ///
    /// - Parameter isOnlyOne: whether all hosts were looked at. Then a rejection ends.
    /// - Returns: false, and nothing changed, if a newer primary is known, or if all are rejected.
    func adopt(_ connection: PostgreSQLConnection, isOnlyOne: Bool = false) -> Bool {
        state.withLock { state in
            if isOnlyOne { state.isRejected = false }
            guard !state.isRejected, connection.position.timeline >= state.timeline else { return false }
            if state.serverStart != connection.serverStart { state.canceling = 0 }
            (state.timeline, state.serverStart) = (connection.position.timeline, connection.serverStart)
            state.close { $0.serverStart != connection.serverStart }
            return true
        }
    }

    /// Closes all connections, those in use when they are given back, until there is only one primary.
    func reject() {
        state.withLock { state in
            state.isRejected = true
            state.close { _ in true }
        }
    }

    func closeAll() { state.withLock { state in state.close { _ in true } } }

    private func addOne(_ state: inout State) -> Bool {
        guard state.count < size else { return false }
        state.count += 1
        state.opening += 1
        return true
    }

    private func open() {
        connecting.async { [self] in
            do {
                let connection = try connect()
                guard adopt(connection) else {
                    throw PostgreSQLError(cause: .lost, state: "", message: "not the primary")
                }
                state.withLock { $0.opening -= 1 }
                hand(over: connection)
            } catch {
                let waiters = state.withLock { state in
                    state.count -= 1
                    state.opening -= 1
                    // Those that are open will be given back.
                    guard state.count == state.opening else { return [Waiter]() }
                    defer { state.waiters = [] }
                    return state.waiters
                }
                for waiter in waiters {
                    waiter.result.withLock { $0 = .failure(error) }
                    waiter.turn.signal()
                }
            }
        }
    }

    /// Gives a connection to the first that waits, or keeps it. One that does not lead to the primary is closed.
    private func hand(over connection: PostgreSQLConnection) {
        let (waiter, isGood) = state.withLock { state -> (Waiter?, Bool) in
            guard !state.isRejected, connection.serverStart == state.serverStart else { return (nil, false) }
            guard !state.waiters.isEmpty else {
                state.idle.append(connection)
                return (nil, true)
            }
            let waiter = state.waiters.removeFirst()
            waiter.result.withLock { $0 = .success(connection) }
            return (waiter, true)
        }
        waiter?.turn.signal()
        if !isGood { end() }
    }

    /// Gives up the place of a connection that is closed.
    private func end() {
        let opens = state.withLock { state in
            state.count -= 1
            return !state.waiters.isEmpty && addOne(&state)
        }
        if opens { open() }
    }
}
