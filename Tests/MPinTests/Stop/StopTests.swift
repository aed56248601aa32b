// SPDX-License-Identifier: Apache-2.0
import CMPinSystem
import CTPM
import Foundation
import MPin
import TestPeers
import Testing

/// Calls that another thread stops.
@Suite struct StopTests {
    enum Way: CaseIterable, Sendable {
        case byte, close
    }

    /// A pipe whose other end stops a call.
    private final class Line: @unchecked Sendable {
        private(set) var reading: Int32 = -1
        private var writing: Int32 = -1

        init() {
            var ends: [Int32] = [0, 0]
            #expect(pipe(&ends) == 0)
            (reading, writing) = (ends[0], ends[1])
        }

        deinit { close(reading) }

        func stop(_ way: Way, after seconds: Double) {
            let writing = writing
            Thread {
                Thread.sleep(forTimeInterval: seconds)
                if way == .byte { write(writing, "x", 1) }
                close(writing)
            }.start()
        }
    }

    /// How long a call goes on after it was stopped half a second after its beginning.
    private func delay(_ way: Way, _ call: (Int32) throws -> Void) rethrows -> Duration {
        let line = Line(), pause = 0.5
        line.stop(way, after: pause)
        let begin = ContinuousClock.now
        try call(line.reading)
        return ContinuousClock.now - begin - .seconds(pause)
    }

    /// The promise is 100 milliseconds; other tests keep the processors busy.
    private static let limit = Duration.milliseconds(-20)...Duration.milliseconds(300)

    @Test(arguments: Way.allCases) func `a transfer ends`(way: Way) throws {
        let (fixture, client, user) = try DirectFixture.warm()
        let started = try client.mpin.startAuthentication(user)
        fixture.answer("/mpinDirect", Answer(delay: 3))
        let late = try delay(way) { stop in
            client.mpin.stop = stop
            let error = try failure { _ = try client.mpin.finishAuthentication(started, pin: secret("4962")) }
            // The PIN was sent.
            #expect(error?.reason == .canceled && error?.pinChecked == .maybe && error?.code == .networkError)
        }
        #expect(Self.limit.contains(late), "\(late)")
        client.mpin.stop = 0
        fixture.answerAsEver()
        try client.logIn(user, "4962")
    }

    @Test func `a call without a request to stop is as before`() throws {
        let (fixture, client, user) = try DirectFixture.warm()
        let line = Line()
        client.mpin.stop = line.reading
        for _ in 1...3 { try client.logIn(user, "4962") }
        #expect(fixture.server.connections == 2)
    }

    @Test(arguments: Way.allCases) func `a connection attempt ends`(way: Way) throws {
        let fixture = try Fixture()
        let client = Client(try fixture.open(timeout: 10_000))
        let listener = try #require(SocketAddress.listener())
        defer { close(listener.descriptor) }
        let late = try delay(way) { stop in
            client.mpin.stop = stop
            let error = try failure { try client.mpin.setBackend("https://127.0.0.1:\(listener.port)") }
            #expect(error?.reason == .canceled && error?.pinChecked == .no)
        }
        #expect(Self.limit.contains(late), "\(late)")
    }

    @Test(arguments: Way.allCases) func `a wait for a lock ends`(way: Way) throws {
        let (fixture, client, user) = try Fixture.enrolled()
        let directory = open(fixture.store + "/users", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(directory) }
        let held = mpin_lock_take(directory, "alice.lock", 1, 0, 0)
        try #require(held >= 0)
        let late = try delay(way) { stop in
            client.mpin.stop = stop
            let error = try failure { try client.mpin.deleteUser(user) }
            #expect(error == MPinError(code: .networkError, reason: .canceled))
        }
        #expect(Self.limit.contains(late), "\(late)")
        mpin_lock_release(held)
        client.mpin.stop = 0
        try client.mpin.deleteUser(user)
    }

    @Test(.enabled(if: EmulatedTPM.program != nil), arguments: Way.allCases)
    func `a wait for the TPM ends`(way: Way) throws {
        let fixture = try DirectFixture(), tpm = try EmulatedTPM()
        var options = TransportOptions()
        options.timeoutMilliseconds = 10_000
        (options.newKey, options.tpm) = (.tpm, tpm.device)
        let store = try FileStore(directory: fixture.store, account: "alice", create: true)
        let client = Client(try MPinClient(store: store, options: options))
        try client.mpin.setBackend(fixture.server.url)
        let user = client.mpin.makeUser("alice@example.org")
        try client.register(user)
        #expect(user.hasKeyInTPM)
        let started = try client.mpin.startAuthentication(user)
        tpm.fallSilent()
        let late = try delay(way) { stop in
            client.mpin.stop = stop
            let error = try failure { _ = try client.mpin.finishAuthentication(started, pin: secret("4962")) }
            #expect(error?.reason == .canceled && error?.pinChecked == .no)
        }
        #expect(Self.limit.contains(late), "\(late)")
        tpm.speakAgain()
        client.mpin.stop = 0
        try client.logIn(user, "4962")
    }

    @Test func `a call that was stopped before it begins ends at once`() throws {
        let (fixture, client, user) = try DirectFixture.warm()
        let signal = mpin_stop_open()
        defer { close(signal) }
        #expect(signal > 2)
        client.mpin.stop = signal
        try client.logIn(user, "4962")
        mpin_stop_signal(signal)
        fixture.server.forget()
        let begin = ContinuousClock.now
        #expect(try failure { try client.logIn(user, "4962") }?.pinChecked == .no)
        #expect(ContinuousClock.now - begin < .milliseconds(100))
        #expect(fixture.server.requests.isEmpty)
    }
}
