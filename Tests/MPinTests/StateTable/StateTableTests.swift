// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import TestPeers
import Testing

/// Every call in every state, from its table.
@Suite struct StateTableTests {
    @Test func `the table is whole`() {
        #expect(StateTable.cells.count > 280)
        #expect(StateTable.userlessCells.count == 28)
    }

    @Test(arguments: StateTable.userlessCells) func `needs a server or not`(cell: StateTable.Cell) throws {
        let (fixture, _, _) = try HostedFixture.enrolled()
        let client = try cell.user == "CHOSEN" ? fixture.client() : Client(fixture.open())
        fixture.server.forget()
        let before = (client.mpin.backend?.text, try fixture.record())
        let words = cell.call.split(separator: "+").map(String.init)
        let address = words.count > 1 ? "http://127.0.0.1/" : fixture.server.url
        let ended = try status {
            switch words[0] {
            case "getClientParam": _ = client.mpin.getClientParam("registerURL")
            case "checkAccessNumber": try client.mpin.checkAccessNumber("4241703")
            case "setClientID": try client.mpin.setClientID(words.count > 1 ? "\r\n" : "client")
            case "makeUser": #expect(client.mpin.makeUser("bob").state == .invalid)
            case "users": #expect(client.mpin.users.count == (cell.user == "CHOSEN" ? 1 : 0))
            case "clearUsers": client.mpin.clearUsers()
            default: try client.ask(words[0], address)
            }
        }
        #expect((ended ?? .ok).name == (cell.expected == "nothing" ? "OK" : cell.expected))
        #expect(try fixture.record() == before.1)
        guard cell.expected != "OK" else { return }
        #expect(client.mpin.backend?.text == before.0)
        #expect(fixture.server.requests.isEmpty)
    }

    @Test(arguments: StateTable.cells) func `ends in the status of the table`(cell: StateTable.Cell) throws {
        let fixture = try HostedFixture()
        let scene = try Scene(cell, fixture)
        let before = try Snapshot(scene, fixture)
        let outcome = try scene.make(cell.call)
        #expect(outcome == (cell.expected == "nothing" ? "OK" : cell.expected))
        guard ["FLOW_ERROR", "nothing", "false"].contains(cell.expected) else { return }
        let after = try Snapshot(scene, fixture)
        #expect(before.state == after.state)
        #expect(before.files == after.files)
        #expect(fixture.server.requests.isEmpty && scene.elsewhere?.requests.isEmpty != false)
    }

    /// A registration with a device key is in the same states, but its start is not announced.
    @Test(arguments: StateTable.cells) func `a device key changes no state`(cell: StateTable.Cell) throws {
        let fixture = try DirectFixture()
        let scene = try Scene(cell, fixture)
        // The peer blocks until its failures are forgotten.
        if cell.call == "liftBlock" { fixture.direct.forgetFailures() }
        #expect(scene.user.keyPlace == (["NEW", "DELETED", "CLEARED"].contains(cell.user) ? .none : .file))
        let outcome = try scene.make(cell.call)
        #expect(outcome == (cell.expected == "nothing" ? "OK" : cell.expected))
        if ["startAuthentication", "FLOW_ERROR", "nothing", "false"].contains(where: {
            [cell.call, cell.expected].contains($0)
        }) {
            #expect(fixture.server.requests.isEmpty && scene.elsewhere?.requests.isEmpty != false)
        }
    }

    /// What must not change.
    private struct Snapshot {
        let state: UserState
        let files: [String: String]

        init(_ scene: Scene, _ fixture: Fixture) throws {
            state = scene.user.state
            var files: [String: String] = [:]
            for path in [fixture.recordPath, fixture.cachePath] {
                files[path] = try? String(contentsOfFile: path, encoding: .utf8)
            }
            self.files = files
        }
    }
}

/// A client and a user in the state of a column.
final class Scene {
    let client: Client
    let user: User
    /// The started authentication, where the column has one.
    private var pending: PendingAuthentication?
    /// A started authentication that is kept, whatever is called meanwhile.
    private let kept: PendingAuthentication?
    /// The other server, where that is the one in use.
    private(set) var elsewhere: LoopbackServer?
    private let others: [Client]
    private let fixture: Fixture

    init(_ cell: StateTable.Cell, _ fixture: Fixture) throws {
        self.fixture = fixture
        let first = Client(try fixture.open())
        try first.mpin.setBackend(fixture.server.url)
        var client = first
        var user = first.mpin.makeUser("alice@example.org", deviceName: "laptop")
        let isFinish = cell.call.hasPrefix("finishAuthentication")
        fixture.reference.activates = !["STARTED", "VERIFIED"].contains(cell.user)
        fixture.reference.isVerified = cell.user == "VERIFIED"
        if cell.user != "NEW" { try first.mpin.startRegistration(user) }
        if !["NEW", "STARTED", "ACTIVATED"].contains(cell.user) { try first.mpin.confirmRegistration(user) }
        if !["NEW", "STARTED", "VERIFIED", "ACTIVATED", "CONFIRMED"].contains(cell.user) {
            try first.mpin.finishRegistration(user, pin: secret("4962"))
            if isFinish { pending = try first.mpin.startAuthentication(user) }
        }
        if cell.user == "BLOCKED" { try Scene.block(user, first, &pending) }
        if !cell.serverIsChosen || cell.user == "FOREIGN" {
            // Another client of the account, as in a later process; it owns none of the first one's objects.
            client = Client(try fixture.open())
            if cell.serverIsChosen { try client.mpin.setBackend(fixture.server.url) }
            if cell.user == "NEW" { user = client.mpin.makeUser("alice@example.org") }
            if cell.user != "FOREIGN", let own = client.mpin.allUsers.first { user = own }
        }
        if cell.user == "PENDING" { kept = try first.mpin.startAuthentication(user) } else { kept = nil }
        if cell.user == "DELETED" { try client.mpin.deleteUser(user) }
        if cell.user == "CLEARED" { client.mpin.clearUsers() }
        if cell.user == "ELSEWHERE" {
            try FileManager.default.createDirectory(
                atPath: fixture.directory + "/other", withIntermediateDirectories: false)
            let reference = fixture.reference
            let server = try LoopbackServer(directory: fixture.directory + "/other") { reference.answer($0) }
            try client.mpin.setBackend(server.url)
            server.forget()
            elsewhere = server
        }
        others = [first]
        self.client = client
        self.user = user
        fixture.server.forget()
    }

    deinit { elsewhere?.stop() }

    private static func block(_ user: User, _ client: Client, _ pending: inout PendingAuthentication?) throws {
        let started = try pending.take() ?? client.mpin.startAuthentication(user)
        for _ in 1...3 { _ = try? client.mpin.finishAuthentication(started, pin: secret("4963")) }
        pending = consume started
    }

    /// Makes a call and returns its outcome.
    func make(_ call: String) throws -> String {
        let words = call.split(separator: "+").map(String.init)
        let isFinish = call.hasPrefix("finishAuthentication")
        var answer: String?
        let code = try status {
            answer = try isFinish ? finish(words[0], pin: words.contains("empty") ? "" : "4962") : start(words)
        }
        return answer ?? code?.name ?? "OK"
    }

    private func start(_ words: [String]) throws -> String? {
        let code = words.contains("code") ? "4241703" : nil
        let data = words.contains("data") ? "data" : nil
        if words[0] != "canLogout" { pending = nil }
        switch words[0] {
        case "startRegistration": try client.mpin.startRegistration(user, MPinTests.code(code), userData: data)
        case "restartRegistration":
            try client.mpin.restartRegistration(user, MPinTests.code(code), userData: data)
        case "changePIN": try client.mpin.changePIN(user, from: secret("4962"), to: secret("7385"))
        case "liftBlock": try client.mpin.liftBlock(of: user, pin: secret("4962"))
        case "confirmRegistration":
            try client.mpin.confirmRegistration(
                user, pushNotificationIdentifier: words.contains("push") ? "token" : nil)
        case "finishRegistration":
            try client.mpin.finishRegistration(user, pin: secret(words.contains("empty") ? "" : "4962"))
        case "startAuthentication": _ = try client.mpin.startAuthentication(user, accessCode: code)
        case "canLogout": return String(client.mpin.canLogout(user))
        case "logout": return String(client.mpin.logout(user))
        case "deleteUser": try client.mpin.deleteUser(user)
        default: Issue.record("no call of the name \(words[0])")
        }
        return nil
    }

    private func finish(_ name: String, pin: String) throws -> String? {
        guard let pending = pending.take() else {
            Issue.record("nothing was started")
            return nil
        }
        try client.finish(name, pending, pin: secret(pin))
        return nil
    }
}
