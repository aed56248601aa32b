// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinAsync
import TestPeers
import Testing

extension DirectFixture {
    func asyncClient(
        timeout: Int = 5000, _ area: FileStore.Area = .users, account: String = "alice"
    ) async throws -> AsyncMPinClient {
        var options = TransportOptions()
        options.timeoutMilliseconds = timeout
        let client = try await AsyncMPinClient(
            store: FileStore(directory: store, account: account, area: area, create: true), options: options)
        try await client.setBackend(server.url)
        return client
    }

    /// A client with a registered user.
    func asyncEnrolled(timeout: Int = 5000) async throws -> (AsyncMPinClient, UserInfo) {
        let client = try await asyncClient(timeout: timeout)
        let made = try await client.makeUser("alice@example.org", deviceName: "laptop")
        let started = try await client.startRegistration(made.id)
        #expect(started.state == .activated && started.id == made.id)
        try await client.confirmRegistration(made.id)
        return (client, try await client.finishRegistration(made.id, pin: secret("4962")))
    }

    /// Lets the server fall silent after some more requests.
    func fallSilent(after count: Int, for seconds: Double = 5) {
        let usual = usual
        let counter = Counter(count)
        server.answer { exchange in
            var answer = usual(exchange)
            if counter.isUsedUp() { answer.delay = seconds }
            return answer
        }
    }

    private final class Counter: @unchecked Sendable {
        private let lock = NSLock()
        private var left: Int

        init(_ count: Int) { left = count }

        func isUsedUp() -> Bool {
            lock.withLock {
                left -= 1
                return left < 0
            }
        }
    }

    /// Lets the server fall silent at a path.
    func fallSilent(at path: String, for seconds: Double = 5) {
        let usual = usual
        server.answer { exchange in
            var answer = usual(exchange)
            if exchange.path.hasPrefix(path) { answer.delay = seconds }
            return answer
        }
    }
}

extension AsyncMPinClient {
    @discardableResult
    nonisolated func logIn(_ user: UserInfo, _ pin: String) async throws -> AuthenticationResult {
        let started = try await startAuthentication(user.id)
        return try await finishAuthentication(started, pin: secret(pin))
    }
}

/// The error of an async call.
func failure(_ call: () async throws -> Void) async throws -> MPinError? {
    do {
        try await call()
        return nil
    } catch let error as MPinError { return error }
}

/// The longest pause of a task that only wants to run every millisecond.
actor Stall {
    private var longest = Duration.zero
    private var isOver = false

    func watch() async {
        var last = ContinuousClock.now
        while !isOver {
            try? await Task.sleep(for: .milliseconds(1))
            let now = ContinuousClock.now
            (longest, last) = (max(longest, now - last), now)
        }
    }

    func end() -> Duration {
        isOver = true
        return longest
    }
}
