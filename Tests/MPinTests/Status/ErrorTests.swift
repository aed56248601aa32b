// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinAsync
import TestPeers
import Testing

/// What a program prints, decides by, and can make for its own tests.
@Suite struct ErrorTests {
    private func reason(at address: String, timeout: Int = 300) throws -> MPinError.Reason? {
        let fixture = try Fixture()
        let client = Client(try fixture.open(timeout: timeout))
        return try failure { try client.mpin.setBackend(address) }?.reason
    }

    @Test func `a cause tells what is wrong with the server`() throws {
        let fixture = try Fixture()
        #expect(try reason(at: "unix:" + fixture.directory + "/none.sock") == .missingSocket)
        fixture.server.stop()
        #expect(try reason(at: fixture.server.url) == .connectionRefused)
        #expect(try reason(at: "https://no-such-host.invalid", timeout: 4000) == .unknownHost)
        let listener = try #require(SocketAddress.listener())
        #expect(try reason(at: "https://127.0.0.1:\(listener.port)") == .noAnswer)
        close(listener.descriptor)
        #expect(try reason(at: "https://127.0.0.1:\(listener.port)") == .connectionRefused)
        let silent = try Fixture()
        silent.answer("/rps/clientSettings", Answer(delay: 2))
        #expect(try reason(at: silent.server.url) == .noAnswer)
    }

    /// The store's first errors are of the same type as all others.
    @Test func `an unsafe store names path and mode`() throws {
        let (fixture, _, _) = try Fixture.enrolled()
        func message() throws -> String? {
            let error = try failure { _ = try fixture.open() }
            #expect(error == nil || error?.code == .storageError && error?.reason == .unsafeStore)
            return error.map { "\($0)" }
        }
        #expect(try message() == nil)
        #expect(chmod(fixture.recordPath, 0o644) == 0)
        let end = "A file or directory of the M-Pin store is unsafe."
        #expect(try message() == fixture.recordPath + " is open to other users (mode 0644). " + end)
        #expect(chmod(fixture.recordPath, 0o600) == 0 && chmod(fixture.store + "/users", 0o750) == 0)
        #expect(try message() == fixture.store + "/users is open to other users (mode 0750). " + end)
        #expect(chmod(fixture.store + "/users", 0o700) == 0 && chmod(fixture.directory, 0o777) == 0)
        #expect(try message()?.hasPrefix(fixture.directory + " is in a directory") == true)
        #expect(chmod(fixture.directory, 0o700) == 0)
        let missing = try failure { _ = try FileStore(directory: fixture.directory + "/none") }
        #expect(missing?.reason == .missingStore)
    }

    @Test(arguments: ["", "store", "./store", "~/store"]) func `a relative path of a store is refused`(path: String)
        throws
    {
        for error in [
            try failure { _ = try FileStore(directory: path, create: true) },
            try failure { _ = try FileStore.accounts(in: path) },
        ] {
            #expect(error?.code == .storageError && error?.reason == .other)
            #expect(error?.message == "The path of a store must be absolute.")
        }
    }

    @Test func `a path with a NUL character opens no other store`() throws {
        let fixture = try DirectFixture()
        for error in [
            try failure { _ = try FileStore(directory: fixture.store + "\0other", create: true) },
            try failure { _ = try FileStore.accounts(in: fixture.store + "\0other") },
        ] {
            #expect(error?.code == .storageError)
            #expect(error?.message == "The path of a store may not contain a NUL character.")
        }
    }

    @Test(arguments: [0, -1, .min]) func `a time limit that is not positive is refused`(milliseconds: Int) async throws
    {
        let fixture = try Fixture()
        var options = TransportOptions()
        options.timeoutMilliseconds = milliseconds
        let store = { try FileStore(directory: fixture.store, create: true) }
        for error in [
            try failure { _ = try MPinClient(store: store(), options: options) },
            try failure { _ = try MPinClient(store: MemoryStore(), options: options) },
            try await failure { _ = try await AsyncMPinClient(store: store(), options: options) },
        ] {
            #expect(error?.message == "The time limit of a call must be at least one millisecond.")
        }
    }

    /// The server ends in the middle of a login, on a new connection and on one that is used again. libcurl then tries
    /// to connect a second time, which fails.
    @Test(arguments: [true, false], [true, false]) func `a server that ends during a login`(
        isNew: Bool, isRemoved: Bool
    ) throws {
        let (fixture, client, user) = try DirectFixture.warm()
        if !isNew { try client.logIn(user, "4962") }
        let server = fixture.server
        server.answer { _ in
            server.stop()
            if isRemoved { unlink(server.path) }
            return .hangUp
        }
        let error = try failure { try client.logIn(user, "4962") }
        #expect(error?.pinChecked == .maybe && error?.code == .networkError && error?.reason == .other)
        // Nothing is sent now.
        let next = try failure { try client.logIn(user, "4962") }
        #expect(next?.pinChecked == .no && next?.reason == (isRemoved ? .missingSocket : .connectionRefused))
    }

    @Test func `an application makes errors with the standard sentence`() {
        for code in MPinStatus.allCases {
            let error = MPinError(code: code, attemptsLeft: 2, pinChecked: .yes)
            #expect(error.code == code && error.attemptsLeft == 2 && error.pinChecked == .yes)
            #expect(error.message.hasSuffix(".") && error.description == error.message)
            #expect((error as any Error).localizedDescription == error.message)
            #expect(error.reason == .other)
        }
        #expect(MPinError(code: .incorrectPIN).message == "Wrong PIN.")
        for reason in MPinError.Reason.allCases {
            #expect(MPinError(code: .networkError, reason: reason).reason == reason)
        }
        #expect(MPinError(code: .networkError, reason: .canceled).message == "The call was canceled.")
        #expect(MPinError(code: .httpRequestError, reason: .tooManyRequests, retryAfter: 30).retryAfter == 30)
    }

    /// The errors of a real client equal those that an application makes.
    @Test func `errors are equal if a program does the same about them`() throws {
        let (fixture, client, user) = try DirectFixture.enrolled()
        let wrong = MPinError(code: .incorrectPIN, attemptsLeft: 2, pinChecked: .yes)
        #expect(throws: wrong) { try client.logIn(user, "1357") }
        fixture.server.stop()
        unlink(fixture.server.path)
        let gone = try failure { try Client(fixture.open()).mpin.setBackend(fixture.server.url) }
        #expect(gone == MPinError(code: .networkError, reason: .missingSocket))
        let others = [
            MPinError(code: .revoked, attemptsLeft: 2, pinChecked: .yes),
            MPinError(code: .incorrectPIN, attemptsLeft: 2),
            MPinError(code: .incorrectPIN, attemptsLeft: 1, pinChecked: .yes),
            MPinError(code: .incorrectPIN, attemptsLeft: 2, pinChecked: .yes, reason: .noAnswer),
            MPinError(code: .incorrectPIN, attemptsLeft: 2, pinChecked: .yes, retryAfter: 1),
        ]
        for other in others { #expect(other != wrong) }
    }

    @Test func `an application makes results for its own tests`() throws {
        #expect(try AuthenticationResult(data: #"{"userId":"alice"}"#).userID == "alice")
        #expect(try failure { _ = try AuthenticationResult(data: "no") }?.code == .responseParseError)
        let requester = SessionDetails.Requester(verified: true, host: "desk")
        #expect(SessionDetails(appName: "Demo", requester: requester).requester?.host == "desk")
        #expect(OwnDevices([OwnDevice(1, name: "laptop")]).devices[0].state == "REGISTERED")
        #expect(UserInfo(identity: "alice", state: .blocked).description == "alice (BLOCKED)")
        #expect("\(UserInfo(identity: "alice", backend: "unix:/s"))" == "alice at unix:/s (REGISTERED)")
    }

    @Test func `states and statuses have names and are Codable`() throws {
        func pass<Value: Codable & Equatable>(_ values: [Value], as names: [String]) throws {
            let json = try JSONEncoder().encode(values)
            #expect(try JSONDecoder().decode([String].self, from: json) == names)
            #expect(try JSONDecoder().decode([Value].self, from: json) == values)
        }
        try pass(MPinStatus.allCases, as: MPinStatus.allCases.map(\.name))
        try pass(UserState.allCases, as: UserState.allCases.map(\.name))
        try pass([MPinError.PINChecked.no, .maybe, .yes], as: ["no", "maybe", "yes"])
        #expect("\(MPinStatus.incorrectPIN) \(UserState.blocked)" == "INCORRECT_PIN BLOCKED")
        #expect(MPinStatus(rawValue: "incorrectPIN") == nil && UserState(rawValue: "") == nil)
        #expect(MPinError.PINChecked(rawValue: "perhaps") == nil)
    }

    @Test func `a printed user says who it is, and nothing secret`() throws {
        let fixture = try DirectFixture()
        let (client, user) = try fixture.enrolled()
        #expect("\(user)" == "alice@example.org at \(fixture.server.url) (REGISTERED)")
        #expect("\(client.mpin.makeUser("bob\u{1B}[2J"))" == "bob?[2J (INVALID)")
        #expect(user.mpinID.count > 40 && user.serverKeyText?.count == 71 && !user.hasKeyInTPM)
    }
}
