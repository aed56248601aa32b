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
        let fixture = try Fixture()
        let hosted = HostedServer(fixture.reference)
        let direct = cell.path == DirectServer.path ? try DirectServer(fixture.reference) : nil
        fixture.server.answer { direct?.answer($0) ?? hosted.answer($0) }
        let client = Client(try fixture.open())
        let isRegistered = cell.call.contains("Authentication")
        fixture.reference.activates = cell.call != "restartRegistration"
        let user: User
        if cell.call != "setBackend" { try client.mpin.setBackend(fixture.server.url) }
        user = client.mpin.makeUser("alice@example.org")
        if isRegistered || ["restartRegistration", "confirmRegistration"].contains(cell.call) {
            try client.mpin.startRegistration(user)
        }
        if isRegistered {
            try client.mpin.confirmRegistration(user)
            try client.mpin.finishRegistration(user, pin: secret("4962"))
        }
        let answer = Answer.status(cell.status, cell.status == 200 && cell.body.isEmpty ? "<html>" : cell.body)
        fixture.server.answer { exchange in
            guard exchange.path.hasPrefix(cell.path) else { return direct?.answer(exchange) ?? hosted.answer(exchange) }
            // Only what the server has signed is an answer to a login with a device key.
            guard let direct, let (kind, request) = try? direct.statement(of: exchange) else { return answer }
            return direct.signer.prove(answer, kind, request)
        }
        let before = user.state
        let ended = try status { try make(cell.call, client, user, fixture) }
        #expect((ended ?? .ok).name.description == cell.expected)
        let isBlocked = cell.status == 410 && cell.expected == "INCORRECT_PIN"
        #expect(user.state == (isBlocked ? .blocked : before))
    }

    private func make(_ call: String, _ client: Client, _ user: User, _ fixture: Fixture) throws {
        switch call {
        case "setBackend": try client.mpin.setBackend(fixture.server.url)
        case "testBackend": try client.mpin.testBackend(fixture.server.url)
        case "getServiceDetails": _ = try client.mpin.getServiceDetails(fixture.server.url)
        case "getSessionDetails": _ = try client.mpin.getSessionDetails("4241703")
        case "startRegistration": try client.mpin.startRegistration(user)
        case "restartRegistration": try client.mpin.restartRegistration(user)
        case "confirmRegistration": try client.mpin.confirmRegistration(user)
        default:
            let pending = try client.mpin.startAuthentication(user, accessCode: "4241703")
            let pin = try secret("4962")
            switch call {
            case "startAuthentication": break
            case "finishAuthentication": _ = try client.mpin.finishAuthentication(pending, pin: pin)
            case "finishAuthenticationOTP": _ = try client.mpin.finishAuthenticationOTP(pending, pin: pin)
            case "finishAuthenticationMFA": _ = try client.mpin.finishAuthenticationMFA(pending, pin: pin)
            case "finishAuthenticationAN":
                try client.mpin.finishAuthenticationAN(pending, pin: pin, accessNumber: "4241703")
            default: Issue.record("no call of the name \(call)")
            }
        }
    }
}
