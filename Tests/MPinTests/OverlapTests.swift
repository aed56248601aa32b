// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinWire
import TestPeers
import Testing

/// Started logins, and other calls at the same time.
struct OverlapTests {
    @Test func `a started login keeps nothing else from going on`() throws {
        let fixture = try Fixture()
        // Whatever waits, waits for a minute.
        let (client, user) = try fixture.enrolled(timeout: 60_000)
        let first = try client.mpin.startAuthentication(user)
        let began = ContinuousClock.now
        let second = try client.mpin.startAuthentication(user)
        _ = try client.mpin.finishAuthentication(second, pin: secret("4962"))

        let bob = client.mpin.makeUser("bob@example.org")
        try client.register(bob, "7385")
        try client.mpin.deleteUser(bob)
        _ = try client.mpin.finishAuthentication(first, pin: secret("4962"))
        #expect(ContinuousClock.now - began < .seconds(30))
    }

    /// What another process does to the files here is not a failure of the network.
    @Test func `a locked store is reported as such, and logins need no lock`() throws {
        let (fixture, client, user) = try Fixture.enrolled()
        let before = try fixture.record()
        let lock = open(fixture.store + "/users/alice.lock", O_RDONLY | O_CLOEXEC)
        defer { close(lock) }
        try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
        let first = try client.mpin.startAuthentication(user)
        let second = try client.mpin.startAuthentication(user)
        _ = try client.mpin.finishAuthentication(first, pin: secret("4962"))
        _ = try client.mpin.finishAuthentication(second, pin: secret("4962"))

        let bob = client.mpin.makeUser("bob@example.org")
        let refused = [
            try failure { try client.mpin.changePIN(user, from: secret("4962"), to: secret("7385")) },
            try failure { try client.mpin.deleteUser(user) },
            try failure { try client.mpin.startRegistration(bob) },
        ]
        for refusal in refused {
            #expect(refusal?.code == .storageError)
            #expect(refusal?.message == "Another program is changing this registration: try again in a moment.")
            #expect(refusal?.pinChecked == .no)
        }
        #expect(try fixture.record() == before)

        try #require(flock(lock, LOCK_UN) == 0)
        try client.mpin.changePIN(user, from: secret("4962"), to: secret("7385"))
        try client.mpin.startRegistration(bob)
        try client.mpin.deleteUser(bob)
    }

    /// How long a login takes.
    private func logIn(_ fixture: Fixture) throws -> Duration {
        let began = ContinuousClock.now
        let client = Client(try fixture.open())
        try client.mpin.setBackend(fixture.server.url)
        let user = try #require(client.mpin.users.first)
        try client.logIn(user, "4962")
        return ContinuousClock.now - began
    }

    /// A process that is stopped in the middle of a login delays other logins by a second at most.
    @Test(arguments: [false, true]) func `a delayed login delays no other`(namesPassOne: Bool) throws {
        let fixture = try Fixture()
        fixture.reference.extensions = namesPassOne ? [.passID] : []
        _ = try fixture.enrolled()
        let usual = try min(logIn(fixture), logIn(fixture))
        let gate = Gate()
        let reference = fixture.reference
        fixture.server.answer { exchange in
            if exchange.path.hasSuffix("pass2") { gate.hold() }
            return reference.answer(exchange)
        }
        let stopped = Thread {
            guard let client = try? Client(fixture.open()), (try? client.mpin.setBackend(fixture.server.url)) != nil,
                let user = client.mpin.users.first
            else { return }
            _ = try? client.logIn(user, "4962")
        }
        stopped.start()
        gate.awaitArrival()
        // A delay costs each login its time. A busy machine is slow only sometimes.
        let limit = usual * 2 + (namesPassOne ? .milliseconds(700) : .milliseconds(1_900))
        var shortest = Duration.seconds(60)
        // At an old server the login that was held up has lost its challenge to this one, which succeeds.
        for _ in 1...4 where shortest >= limit { shortest = min(shortest, try logIn(fixture)) }
        #expect(shortest < limit, "\(shortest) \(usual)")
        gate.release()
    }
}

/// Delays its first request.
private final class Gate: @unchecked Sendable {
    private let arrived = DispatchSemaphore(value: 0)
    private let released = DispatchSemaphore(value: 0)
    private let lock = NSLock()
    private var isFirst = true

    func hold() {
        guard
            lock.withLock({
                defer { isFirst = false }
                return isFirst
            })
        else { return }
        arrived.signal()
        released.wait()
    }

    func awaitArrival() { arrived.wait() }

    func release() { released.signal() }
}
