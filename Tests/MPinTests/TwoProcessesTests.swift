// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import TestPeers
import Testing

/// Two clients of one account, as in two processes: neither undoes changes of the other.
@Suite struct TwoProcessesTests {
    /// Two clients with a registration that waits to be verified.
    private final class Pair {
        let fixture: Fixture
        let first: Client
        let second: Client
        let mine: User
        let theirs: User

        init(registered: Bool = false) throws {
            fixture = try Fixture()
            fixture.reference.activates = registered
            first = Client(try fixture.open())
            try first.mpin.setBackend(fixture.server.url)
            mine = first.mpin.makeUser("alice@example.org")
            if registered { try first.register(mine, "4962") } else { try first.mpin.startRegistration(mine) }
            second = Client(try fixture.open())
            try second.mpin.setBackend(fixture.server.url)
            let listed = second.mpin.users.first
            theirs = try #require(listed)
            fixture.server.forget()
        }

        /// The second client continues to a registration that logs in.
        func finishElsewhere() throws {
            fixture.reference.activates = true
            try second.finish(theirs)
            fixture.server.forget()
        }

        /// Whether a new process logs in with that PIN.
        func logsIn(_ pin: String) throws -> Bool {
            let client = Client(try fixture.open())
            try client.mpin.selectBackend(fixture.server.url)
            let listed = client.mpin.users.first
            return try status { try client.logIn(try #require(listed), pin) } == nil
        }

        /// The token on disk.
        func token() throws -> String {
            let record = try fixture.record()
            let start = try #require(record.range(of: "\"token\":\""))
            return String(record[start.upperBound...].prefix(130))
        }
    }

    enum Step: String, CaseIterable, Sendable { case restart, confirm, finish, delete }

    @Test(arguments: Step.allCases) func `a finished registration is not overwritten`(step: Step) throws {
        let pair = try Pair()
        if step == .finish {
            pair.fixture.reference.activates = true
            try pair.first.mpin.confirmRegistration(pair.mine)
            // The other one has its shares too, since this one restarted.
            try pair.second.mpin.restartRegistration(pair.theirs)
        }
        try pair.finishElsewhere()
        let before = try pair.fixture.record()
        let ended = try failure {
            switch step {
            case .restart: try pair.first.mpin.restartRegistration(pair.mine)
            case .confirm: try pair.first.mpin.confirmRegistration(pair.mine)
            case .finish: try pair.first.mpin.finishRegistration(pair.mine, pin: secret("7385"))
            case .delete: try pair.first.mpin.deleteUser(pair.mine)
            }
        }
        #expect(ended?.code == .flowError)
        #expect(ended?.message.lowercased().contains("another process") == true)
        #expect(try pair.fixture.record() == before)
        #expect(pair.fixture.server.requests.isEmpty)
        // The store has what this client shows now, and can continue from.
        #expect(pair.mine.state == .registered && pair.mine.mpinID == pair.theirs.mpinID)
        try pair.first.logIn(pair.mine, "4962")
        #expect(try pair.logsIn("4962"))
    }

    /// The other process finishes while the request of this one is on its way.
    @Test func `a restart that comes too late changes nothing`() throws {
        let pair = try Pair()
        let reference = pair.fixture.reference
        reference.activates = true
        try pair.second.mpin.restartRegistration(pair.theirs)
        try pair.second.mpin.confirmRegistration(pair.theirs)
        let third = Client(try pair.fixture.open())
        try third.mpin.setBackend(pair.fixture.server.url)
        let user = try third.first()
        // A client that knows what is stored, asks, and is overtaken before its answer comes.
        let finishing = Finishing(pair.second, pair.theirs)
        reference.activates = false
        #expect(user.state == .activated)
        pair.fixture.answer("/rps/signature", .status(400))
        #expect(try status { try third.mpin.confirmRegistration(user) } == .identityNotVerified)
        pair.fixture.server.answer { exchange in
            if exchange.method == "PUT" { finishing.run() }
            return reference.answer(exchange)
        }
        #expect(try status { try third.mpin.restartRegistration(user) } == .flowError)
        #expect(finishing.error == nil)
        #expect(user.state == .registered)
        #expect(try pair.fixture.record().contains("\"REGISTERED\""))
        #expect(try pair.logsIn("4962"))
    }

    /// Finishes a registration from another thread.
    private final class Finishing: @unchecked Sendable {
        private let client: Client
        private let user: User
        private(set) var error: (any Error)?

        init(_ client: Client, _ user: User) { (self.client, self.user) = (client, user) }

        func run() {
            do { try client.mpin.finishRegistration(user, pin: secret("4962")) } catch { self.error = error }
        }
    }

    @Test func `an identity is not registered twice`() throws {
        let fixture = try Fixture()
        let clients = try (0..<2).map { _ in Client(try fixture.open()) }
        for client in clients { try client.mpin.setBackend(fixture.server.url) }
        try clients[0].register(clients[0].mpin.makeUser("alice@example.org"), "4962")
        fixture.server.forget()
        let late = clients[1].mpin.makeUser("alice@example.org")
        #expect(try status { try clients[1].mpin.startRegistration(late) } == .flowError)
        #expect(late.state == .invalid && fixture.server.requests.isEmpty)
    }

    @Test func `of two changes of the PIN one succeeds`() throws {
        let pair = try Pair(registered: true)
        try pair.first.mpin.changePIN(pair.mine, from: secret("4962"), to: secret("7385"))
        // The second client reads the new token with its login, and its old PIN is wrong by now.
        #expect(
            try status { try pair.second.mpin.changePIN(pair.theirs, from: secret("4962"), to: secret("8016")) }
                == .incorrectPIN)
        #expect(try pair.logsIn("7385"))
    }

    @Test func `a change of the PIN that comes too late changes nothing`() throws {
        let pair = try Pair(registered: true)
        let pending = try pair.second.mpin.startAuthentication(pair.theirs)
        _ = try pair.second.mpin.finishAuthentication(pending, pin: secret("4962"))
        try pair.first.mpin.changePIN(pair.mine, from: secret("4962"), to: secret("7385"))
        let ended = try failure { try pair.second.mpin.replacePIN(pending, from: secret("4962"), to: secret("8016")) }
        #expect(ended?.code == .flowError)
        #expect(try pair.logsIn("7385"))
        #expect(try !pair.logsIn("8016"))
    }

    @Test func `a block leaves the new registration of another process alone`() throws {
        let pair = try Pair(registered: true)
        let pending = try pair.second.mpin.startAuthentication(pair.theirs)
        try pair.first.mpin.deleteUser(pair.mine)
        let anew = pair.first.mpin.makeUser("alice@example.org")
        try pair.first.register(anew, "7385")
        for _ in 1...3 { _ = try? pair.second.mpin.finishAuthentication(pending, pin: secret("4963")) }
        #expect(try pair.fixture.record().contains("\"REGISTERED\""))
        #expect(try !pair.fixture.record().contains("\"BLOCKED\""))
    }

    @Test func `a block keeps the token of a new PIN`() throws {
        let pair = try Pair(registered: true)
        let pending = try pair.second.mpin.startAuthentication(pair.theirs)
        try pair.first.mpin.changePIN(pair.mine, from: secret("4962"), to: secret("7385"))
        let token = try pair.token()
        pair.fixture.answer("/mpinAuthenticate", .status(410))
        _ = try? pair.second.mpin.finishAuthentication(pending, pin: secret("4963"))
        #expect(try pair.token() == token)
    }

    @Test func `a lifted block leaves the new registration of another process alone`() throws {
        let pair = try Pair(registered: true)
        for _ in 1...3 { _ = try? pair.second.logIn(pair.theirs, "4963") }
        #expect(pair.theirs.state == .blocked)
        try pair.first.mpin.deleteUser(pair.mine)
        let anew = pair.first.mpin.makeUser("alice@example.org")
        try pair.first.register(anew, "7385")
        #expect(try status { try pair.second.mpin.liftBlock(of: pair.theirs, pin: secret("4962")) } == .flowError)
        #expect(pair.theirs.state == .registered && pair.theirs.mpinID == anew.mpinID)
        #expect(try pair.logsIn("7385"))
    }

    /// A registration that another process deleted disappears with the next call that reads the store.
    @Test(arguments: [true, false]) func `a deleted registration is no longer listed`(lastOne: Bool) throws {
        let pair = try Pair(registered: true)
        if !lastOne {
            try pair.first.register(pair.first.mpin.makeUser("bob@example.org"))
        }
        try pair.first.mpin.deleteUser(pair.mine)
        pair.fixture.server.forget()
        #expect(try status { _ = try pair.second.mpin.startAuthentication(pair.theirs) } == .flowError)
        #expect(pair.theirs.state == .invalid)
        #expect(pair.second.mpin.allUsers.map(\.identity) == (lastOne ? [] : ["bob@example.org"]))
        #expect(pair.fixture.server.requests.isEmpty)
        // Its identity is free again, also for this client.
        try pair.second.register(pair.second.mpin.makeUser("alice@example.org"), "7385")
    }

    @Test func `deleting a deleted registration is not a failure`() throws {
        let pair = try Pair(registered: true)
        try pair.first.mpin.deleteUser(pair.mine)
        try pair.second.mpin.deleteUser(pair.theirs)
        #expect(pair.theirs.state == .invalid && pair.second.mpin.allUsers.isEmpty)
    }

    /// A new registration that waits to be verified is not lost by a change of the old one's PIN.
    @Test func `a change of the PIN leaves a started renewal alone`() throws {
        let pair = try Pair(registered: true)
        pair.fixture.reference.activates = false
        let renewal = Client(try pair.fixture.open(.staging))
        try renewal.mpin.setBackend(pair.fixture.server.url)
        let waiting = renewal.mpin.makeUser("alice@example.org")
        try renewal.mpin.startRegistration(waiting)
        try pair.first.mpin.changePIN(pair.mine, from: secret("4962"), to: secret("7385"))
        #expect(try pair.fixture.open(.staging).allUsers.first?.mpinID == waiting.mpinID)
        pair.fixture.reference.activates = true
        try renewal.mpin.confirmRegistration(waiting)
        try renewal.mpin.finishRegistration(waiting, pin: secret("8016"))
        try renewal.mpin.recover(waiting, pin: secret("8016"))
        #expect(try pair.logsIn("8016"))
    }
}
