// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import TestPeers
import Testing

/// Which users are listed for which server.
@Suite struct ListTests {
    /// Two servers, at the first of which alice and bob are registered, at the second alice alone.
    private final class TwoServers {
        let fixture: Fixture
        let second: LoopbackServer
        let client: Client

        init() throws {
            let fixture = try Fixture()
            let directory = fixture.directory + "/second"
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
            let other = try ReferenceServer()
            second = try LoopbackServer(directory: directory) { other.answer($0) }
            client = Client(try fixture.open())
            try client.mpin.setBackend(fixture.server.url)
            try client.register(client.mpin.makeUser("alice@example.org"))
            try client.register(client.mpin.makeUser("bob@example.org"))
            try client.mpin.setBackend(second.url)
            try client.register(client.mpin.makeUser("alice@example.org"))
            self.fixture = fixture
        }

        deinit { second.stop() }
    }

    private func names(_ users: [User]) -> [String] { users.map(\.identity) }

    @Test func `users are listed by server`() throws {
        let servers = try TwoServers()
        for client in [servers.client, Client(try servers.fixture.open())] {
            try client.mpin.setBackend(servers.second.url)
            #expect(names(client.mpin.users) == ["alice@example.org"])
            #expect(
                names(client.mpin.users(at: servers.fixture.server.url)) == ["alice@example.org", "bob@example.org"])
            #expect(client.mpin.users(at: "unix:/nobody").isEmpty && client.mpin.users(at: "nonsense").isEmpty)
            #expect(client.mpin.allUsers.count == 3)
            #expect(client.mpin.backends == [servers.fixture.server.url, servers.second.url])
            #expect(client.user("bob@example.org") == nil)
            let alice = try #require(client.user("alice@example.org"))
            #expect(alice.backend == servers.second.url)
            try client.mpin.setBackend(servers.fixture.server.url)
            #expect(client.user("bob@example.org") != nil)
            #expect(client.user("alice@example.org") !== alice)
        }
    }

    @Test func `before a server is chosen its list is empty`() throws {
        let servers = try TwoServers()
        let client = Client(try servers.fixture.open())
        #expect(client.mpin.users.isEmpty)
        #expect(client.user("alice@example.org") == nil)
        #expect(client.mpin.allUsers.count == 3 && client.mpin.backends.count == 2)
    }

    @Test func `deleting forgets one user of one server`() throws {
        let servers = try TwoServers()
        let alice = try #require(servers.client.user("alice@example.org"))
        servers.second.forget()
        try servers.client.mpin.deleteUser(alice)
        #expect(alice.state == .invalid)
        #expect(servers.second.requests.isEmpty)
        let later = Client(try servers.fixture.open())
        #expect(names(later.mpin.allUsers) == ["alice@example.org", "bob@example.org"])
        #expect(later.mpin.backends == [servers.fixture.server.url])
        try servers.client.mpin.deleteUser(alice)
        #expect(try servers.fixture.open().allUsers.count == 2)
    }

    @Test func `C11: what is forgotten in memory stays in the store`() throws {
        let servers = try TwoServers()
        let client = servers.client
        let before = client.mpin.allUsers
        client.mpin.clearUsers()
        #expect(client.mpin.allUsers.isEmpty)
        #expect(before.allSatisfy { $0.state == .invalid })
        try client.register(client.mpin.makeUser("carol@example.org"))
        let later = Client(try servers.fixture.open())
        #expect(later.mpin.allUsers.count == 4)
        try later.mpin.setBackend(servers.second.url)
        try later.logIn(try #require(later.user("alice@example.org")), "4962")
        // Registering a stored identity again does not lose its token either.
        let twin = client.mpin.makeUser("alice@example.org")
        #expect(try status { try client.mpin.startRegistration(twin) } == .flowError)
        try later.logIn(try #require(later.user("alice@example.org")), "4962")
    }

    @Test func `C6: a server that cannot be chosen changes nothing`() throws {
        let servers = try TwoServers()
        let client = servers.client
        #expect(try status { try client.mpin.setBackend("unix:/nowhere/s.sock") } == .networkError)
        #expect(try status { try client.mpin.setBackend("http://example.org") } == .flowError)
        let answers: [Answer] = [.status(404), .status(500), .status(204), .status(200, "{}"), .hangUp]
        for answer in answers {
            servers.fixture.server.answer { _ in answer }
            #expect(try status { try client.mpin.setBackend(servers.fixture.server.url) } != nil)
            #expect(try status { try client.mpin.testBackend(servers.fixture.server.url) } != nil)
            #expect(client.mpin.backend?.text == servers.second.url)
            #expect(client.parameter("registerURL") == "//rps/user")
            try client.logIn(try #require(client.user("alice@example.org")), "4962")
        }
    }

    @Test func `testing a server chooses none`() throws {
        let fixture = try Fixture()
        let client = Client(try fixture.open())
        try client.mpin.testBackend(fixture.server.url)
        #expect(client.mpin.backend == nil && client.parameter("registerURL").isEmpty)
        #expect(fixture.server.requests == ["GET /rps/clientSettings"])
    }
}
