// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinAsync
import TestPeers
import Testing

/// The client in an actor.
@Suite struct AsyncCallTests {
    @Test func `registers, signs in, changes the PIN and recovers`() async throws {
        let fixture = try DirectFixture()
        let (client, user) = try await fixture.asyncEnrolled()
        #expect(user.state == .registered && user.identity == "alice@example.org" && user.deviceName == "laptop")
        #expect(user.mpinID.count > 40 && user.serverKeyText != nil && user.pinLength == 4)
        #expect(try await client.logIn(user, "4962").userID == "alice@example.org")
        try await client.changePIN(user.id, from: secret("4962"), to: secret("7385"))
        for left in [2, 1, 0] {
            let error = try await failure { try await client.logIn(user, "4962") }
            #expect(error?.code == .incorrectPIN && error?.attemptsLeft == left)
            #expect(try await client.user(user.id).state == (left == 0 ? .blocked : .registered))
        }
        fixture.direct.forgetFailures()
        #expect(try await client.liftBlock(of: user.id, pin: secret("7385")).state == .registered)

        let staged = try await fixture.asyncClient(.staging)
        try await staged.discardLeftovers()
        let renewed = try await staged.makeUser("alice@example.org")
        try await staged.startRegistration(renewed.id)
        try await staged.confirmRegistration(renewed.id)
        try await staged.finishRegistration(renewed.id, pin: secret("1397"))
        #expect(try await staged.recover(renewed.id, pin: secret("1397")))
        let later = try await fixture.asyncClient()
        let found = try #require(try await later.user(identity: "alice@example.org"))
        #expect(found.mpinID != user.mpinID)
        try await later.logIn(found, "1397")
        try await later.deleteUser(found.id)
        #expect(try await later.allUsers.isEmpty)
    }

    @Test func `answers questions about itself`() async throws {
        let fixture = try DirectFixture()
        let client = try await fixture.asyncClient()
        let (isNew, aside, users) = try await (client.isNewAccount, client.recordsSetAside, client.users)
        #expect(isNew && aside == 0 && users.isEmpty)
        let (backend, backends) = try await (client.backend, client.backends)
        #expect(backend?.text == fixture.server.url && backends.isEmpty)
        #expect(try await client.getClientParam("nothing") == "")
        try await client.setClientID("app")
        try await client.testBackend(fixture.server.url)
        #expect(try await failure { try await client.checkAccessNumber("") }?.code == .incorrectAccessNumber)
        let user = try await client.makeUser("bob")
        #expect(try await client.canLogout(user.id) == false)
        #expect(try await client.logout(user.id) == false)
        try await client.clearUsers()
        #expect(try await client.users(at: fixture.server.url).isEmpty)
    }

    @Test func `a user and a login belong to their client`() async throws {
        let fixture = try DirectFixture()
        let (first, user) = try await fixture.asyncEnrolled()
        let second = try await fixture.asyncClient()
        #expect(try await failure { try await second.deleteUser(user.id) }?.code == .flowError)
        #expect(try await failure { _ = try await second.user(UserInfo.ID()) }?.code == .flowError)
        let started = try await first.startAuthentication(user.id)
        let foreign = try await failure { try await second.finishAuthentication(started, pin: secret("4962")) }
        #expect(foreign?.code == .flowError && started.user == user)
        try await first.finishAuthentication(started, pin: secret("4962"))
    }

    @Test func `two clients use one store`() async throws {
        let fixture = try DirectFixture()
        let (first, user) = try await fixture.asyncEnrolled()
        let second = try await fixture.asyncClient()
        let same = try #require(try await second.users.first)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    try await (number % 2 == 0 ? first : second).logIn(number % 2 == 0 ? user : same, "4962")
                }
            }
            try await group.waitForAll()
        }
        let changed = try await failure {
            async let one = first.changePIN(user.id, from: secret("4962"), to: secret("7385"))
            async let other = second.changePIN(same.id, from: secret("4962"), to: secret("1397"))
            _ = try await (one, other)
        }
        #expect(changed == nil || [.flowError, .incorrectPIN].contains(changed?.code))
        let third = try await fixture.asyncClient()
        let result = try #require(try await third.users.first)
        let wrong = try await failure { try await third.logIn(result, "7385") }
        if wrong != nil { try await third.logIn(result, "1397") }
    }

    @Test func `a thousand sign-ins at once`() async throws {
        let fixture = try DirectFixture()
        let (client, user) = try await fixture.asyncEnrolled(timeout: 60_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<1000 { group.addTask { try await client.logIn(user, "4962") } }
            try await group.waitForAll()
        }
        #expect(fixture.requests(of: "/mpinDirect") == 1000)
    }

    /// The thread of a client ends with it, and not before its calls.
    @Test func `a client that is dropped in the middle of a call`() async throws {
        let fixture = try DirectFixture()
        _ = try await fixture.asyncEnrolled()
        fixture.fallSilent(at: "/mpinDirect", for: 0.2)
        let before = try Self.threads()
        weak var dropped: AsyncMPinClient?
        for _ in 0..<20 {
            var client: AsyncMPinClient? = try await fixture.asyncClient()
            dropped = client
            let task = Task { [client] in
                guard let client, let user = try await client.users.first else { return }
                try await client.logIn(user, "4962")
            }
            client = nil
            try await task.value
        }
        for _ in 0..<100 where try dropped != nil || Self.threads() > before + 2 {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(dropped == nil)
        #expect(try Self.threads() <= before + 2)
    }

    private static func threads() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("Threads:") })
        return try #require(Int(line.split(separator: "\t")[1]))
    }
}
