// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinAsync
import TestPeers
import Testing

/// Clients that are open while others change the store.
@Suite struct SharedStoreTests {
    /// A client whose user is blocked, and another one that knows it.
    private struct Blocked {
        let fixture: DirectFixture
        let client: Client
        let user: User
        let other: Client

        init() throws {
            fixture = try DirectFixture()
            (client, user) = try fixture.enrolled()
            other = try fixture.client()
            for _ in 1...3 { _ = try status { try client.logIn(user, "1357") } }
            #expect(user.state == .blocked)
        }

        /// Has the server lift the block, and the other client too.
        func lift() throws {
            fixture.direct.forgetFailures()
            try other.mpin.liftBlock(of: other.first(), pin: secret("4962"))
        }

        /// Replaces the registration with one with the PIN 7385.
        func recover() throws {
            let (staged, renewed) = try fixture.newUser(.staging)
            try staged.register(renewed, "7385")
            try staged.mpin.recover(renewed, pin: secret("7385"))
        }
    }

    @Test func `a login starts after another client has lifted the block`() throws {
        let blocked = try Blocked()
        try blocked.lift()
        try blocked.client.logIn(blocked.user, "4962")
        #expect(blocked.user.state == .registered)
    }

    @Test func `a login starts after another client has recovered the user`() throws {
        let blocked = try Blocked(), former = blocked.user.mpinID
        try blocked.recover()
        try blocked.client.logIn(blocked.user, "7385")
        #expect(blocked.user.state == .registered && blocked.user.mpinID != former)
    }

    @Test func `a list shows what is stored now`() async throws {
        let blocked = try Blocked(), client = blocked.client
        #expect(try blocked.other.first().state == .blocked)
        try blocked.lift()
        #expect(client.mpin.users.count == 1 && client.mpin.users[0] === blocked.user)
        #expect(blocked.user.state == .registered && blocked.user.attemptsLeft != 0)
        try blocked.other.mpin.deleteUser(blocked.other.first())
        #expect(client.mpin.allUsers.isEmpty && client.mpin.isNewAccount && blocked.user.state == .invalid)
    }

    @Test func `a client that was opened earlier finds the users of others`() throws {
        let fixture = try Fixture()
        let early = try fixture.client()
        #expect(early.mpin.isNewAccount && early.mpin.users.isEmpty)
        let (later, _) = try fixture.enrolled()
        #expect(!early.mpin.isNewAccount && early.mpin.backends == [fixture.server.url])
        let user = try #require(early.user("alice@example.org"))
        #expect(user.state == .registered && early.mpin.users(at: fixture.server.url)[0] === user)
        try early.logIn(user, "4962")
        try later.register(later.mpin.makeUser("bob@example.org"))
        #expect(early.mpin.allUsers.map(\.identity) == ["alice@example.org", "bob@example.org"])

        // A store that cannot be read proves nothing, and its users are not forgotten.
        #expect(chmod(fixture.recordPath, 0o644) == 0)
        #expect(early.mpin.allUsers.count == 2 && !early.mpin.isNewAccount)
        #expect(chmod(fixture.recordPath, 0o600) == 0)
        try fixture.write(fixture.record().replacing("bob@example", with: "bOb@example"))
        for _ in 1...2 { #expect(early.mpin.recordsSetAside == 1 && early.mpin.allUsers.count == 2) }

        early.mpin.clearUsers()
        #expect(early.mpin.allUsers.isEmpty && user.state == .invalid)
    }

    @Test func `a store of the application is read as well`() throws {
        let fixture = try DirectFixture(), store = MemoryStore()
        let clients = try (0..<2).map { _ in Client(try MPinClient(store: store)) }
        for client in clients { try client.mpin.setBackend(fixture.server.url) }
        #expect(clients[1].mpin.users.isEmpty)
        try clients[0].register(clients[0].mpin.makeUser("alice@example.org"))
        try clients[1].logIn(clients[1].first(), "4962")
    }

    @Test func `an actor finds users and states of others`() async throws {
        let fixture = try DirectFixture()
        let early = try await fixture.asyncClient()
        #expect(try await early.users.isEmpty)
        let (later, user) = try await fixture.asyncEnrolled()
        let found = try #require(try await early.user(identity: "alice@example.org"))
        for _ in 1...3 { _ = try await failure { try await later.logIn(user, "1357") } }
        #expect(try await early.user(found.id).state == .blocked)
        #expect(try await early.isNewAccount == false)
    }

    /// Neither a permit of the old registration nor the PIN is used for the new one.
    @Test(arguments: [true, false]) func `a started login does not become one of another registration`(
        keyed: Bool
    ) throws {
        let fixture = try keyed ? DirectFixture() : Fixture()
        let (client, user) = try fixture.enrolled()
        let started = try client.mpin.startAuthentication(user)
        let (staged, renewed) = try fixture.newUser(.staging)
        try staged.register(renewed, "7385")
        try staged.mpin.recover(renewed, pin: secret("7385"))
        #expect(client.mpin.users[0] === user && user.mpinID == renewed.mpinID)
        fixture.server.forget()
        let ended = try failure { try client.mpin.finishAuthentication(started, pin: secret("7385")) }
        #expect(ended?.code == .flowError && ended?.message.hasSuffix("start the login again.") == true)
        #expect(fixture.server.requests.isEmpty)
        try client.logIn(user, "7385")
    }

    @Test func `a recovery that another client has completed is not a deletion`() throws {
        let (fixture, _, _) = try DirectFixture.enrolled()
        let (staged, renewed) = try fixture.newUser(.staging)
        try staged.register(renewed, "7385")
        let other = Client(try fixture.open(.staging))
        try other.mpin.setBackend(fixture.server.url)
        try other.mpin.recover(other.first(), pin: secret("7385"))
        let ended = try failure { try staged.mpin.recover(renewed, pin: secret("7385")) }
        #expect(ended?.code == .flowError)
        #expect(ended?.message == "This recovery is already complete: sign in with the registration in use.")
        let (another, deleted) = try fixture.newUser(.staging)
        try another.register(deleted, "7385")
        try other.mpin.deleteUser(other.first())
        let lost = try failure { try another.mpin.recover(deleted, pin: secret("7385")) }
        #expect(lost?.message == "Another process has deleted this registration: register again.")
    }
}
