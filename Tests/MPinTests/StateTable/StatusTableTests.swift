// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import TestPeers
import Testing

/// What each HTTP status means to each call, from its table, and the refusals on record from 2016.
@Suite struct StatusTableTests {
    struct Cell: Sendable, CustomTestStringConvertible {
        let call: String
        let path: String
        let status: Int
        var body = ""
        let expected: String

        var testDescription: String { "\(call) \(path) \(status) \(expected)" }
    }

    static let cells: [Cell] = {
        let text = try? String(contentsOf: StateTable.directory.appending(path: "statuses.table"), encoding: .utf8)
        var statuses: [Int] = []
        var cells: [Cell] = []
        for line in (text ?? "").components(separatedBy: "\n") where !line.isEmpty && !line.hasPrefix("#") {
            let words = line.split(separator: " ").map(String.init)
            if words[0] == "call" {
                statuses = words.compactMap(Int.init)
            } else {
                guard words.count == statuses.count + 2 else { return [] }
                for (status, expected) in zip(statuses, words.dropFirst(2)) {
                    cells.append(Cell(call: words[0], path: words[1], status: status, expected: expected))
                }
            }
        }
        return cells
    }()

    /// Lines of `CALL PATH STATUS EXPECTED BODY`.
    static let recorded: [Cell] = {
        let file = Recordings.directory.appending(path: "26-raw-error-cases.replies")
        let lines = ((try? String(contentsOf: file, encoding: .utf8)) ?? "").components(separatedBy: "\n")
        return lines.filter { !$0.isEmpty && !$0.hasPrefix("#") }.compactMap { line in
            let words = line.split(separator: " ", maxSplits: 4).map(String.init)
            guard words.count >= 4, let status = Int(words[2]) else { return nil }
            return Cell(
                call: words[0], path: words[1], status: status, body: words.count > 4 ? words[4] : "",
                expected: words[3])
        }
    }()

    @Test func `the tables are whole`() {
        #expect(StatusTableTests.cells.count == 23 * 16)
        #expect(StatusTableTests.recorded.count >= 12)
    }

    @Test(arguments: cells + recorded) func `matches the table`(cell: Cell) throws {
        let fixture: Fixture = try cell.path == DirectServer.path ? DirectFixture() : HostedFixture()
        let client = Client(try fixture.open())
        let isRegistered = cell.call.contains("Authentication")
        fixture.reference.activates = cell.call != "restartRegistration"
        if cell.call != "setBackend" { try client.mpin.setBackend(fixture.server.url) }
        let user = client.mpin.makeUser("alice@example.org")
        if isRegistered || ["restartRegistration", "confirmRegistration"].contains(cell.call) {
            try client.mpin.startRegistration(user)
        }
        if isRegistered { try client.finish(user) }
        let answer = Answer.status(cell.status, cell.status == 200 && cell.body.isEmpty ? "<html>" : cell.body)
        // Only what the server has signed is an answer to a login with a device key.
        if let direct = fixture as? DirectFixture {
            direct.answerSigned(cell.path, answer)
        } else {
            fixture.answer(cell.path, answer)
        }
        let before = user.state
        let ended = try status { try make(cell.call, client, user, fixture) }
        #expect((ended ?? .ok).name == cell.expected)
        let isBlocked = cell.status == 410 && cell.expected == "INCORRECT_PIN"
        #expect(user.state == (isBlocked ? .blocked : before))
    }

    private func make(_ call: String, _ client: Client, _ user: User, _ fixture: Fixture) throws {
        switch call {
        case "startRegistration": try client.mpin.startRegistration(user)
        case "restartRegistration": try client.mpin.restartRegistration(user)
        case "confirmRegistration": try client.mpin.confirmRegistration(user)
        case _ where call.contains("Authentication"):
            let pending = try client.mpin.startAuthentication(user, accessCode: "4241703")
            if call != "startAuthentication" { try client.finish(call, pending, pin: secret("4962")) }
        default: try client.ask(call, fixture.server.url)
        }
    }
}

extension Client {
    /// Makes a call that needs no user.
    func ask(_ call: String, _ address: String) throws {
        switch call {
        case "setBackend": try mpin.setBackend(address)
        case "testBackend": try mpin.testBackend(address)
        case "getServiceDetails": _ = try mpin.getServiceDetails(address)
        case "getSessionDetails": _ = try mpin.getSessionDetails("4241703")
        default: Issue.record("no call of the name \(call)")
        }
    }

    /// Finishes an authentication by a call of this name.
    func finish(_ call: String, _ pending: borrowing PendingAuthentication, pin: borrowing PIN) throws {
        switch call {
        case "finishAuthentication": _ = try mpin.finishAuthentication(pending, pin: pin)
        case "finishAuthenticationOTP": _ = try mpin.finishAuthenticationOTP(pending, pin: pin)
        case "finishAuthenticationMFA": _ = try mpin.finishAuthenticationMFA(pending, pin: pin)
        case "finishAuthenticationAN": try mpin.finishAuthenticationAN(pending, pin: pin, accessNumber: "4241703")
        default: Issue.record("no call of the name \(call)")
        }
    }
}
