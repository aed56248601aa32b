// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinWire
import TestPeers
import Testing

@Suite struct AccessNumberTests {
    /// The person may take a minute for the PIN; servers close connections before that.
    @Test func `a login started before the PIN is typed outlives its connection`() throws {
        let (fixture, client, user) = try HostedFixture.enrolled()
        fixture.alter("/dta/timePermit") { answer in
            let head = "HTTP/1.1 200 OK\r\nContent-Length: \(answer.body.count)\r\n\r\n"
            return Answer(raw: Array(head.utf8) + answer.body)
        }
        let pending = try client.mpin.startAuthentication(user, accessCode: "4241703")
        #expect(fixture.last("/rps/codeStatus", "userId") == "alice@example.org")
        usleep(200_000)
        let connections = fixture.server.connections
        try client.mpin.finishAuthenticationAN(pending, pin: secret("4962"), accessNumber: "4241703")
        #expect(fixture.server.connections == connections + 1)
        #expect(fixture.requests(of: "POST /rps/pass2") == 1)
    }

    static let numbers: [(String, Bool)] = [
        ("4241703", true), ("6418791", true), ("5653282", true), ("9584382", true), ("0529362", true),
        ("6419791", false), ("1234567", false), ("4241702", false), ("424170", false), ("42417030", false),
        ("424170a", false), ("424\u{A0}1703", true), ("424 1703 ", true), ("424\t1703", false),
        ("424\u{A0}1702", false), ("\u{664}241703", false), ("", false),
        // Six zeros have the check digit 0, which no server issues.
        ("0000000", true), ("0000001", false),
        // Fewer characters than any scanned code has, and characters that none has.
        ("ad721901608b401eaeb13bcf8499280", false), ("gd721901608b401eaeb13bcf84992801", false),
        ("ad721901608b401eaeb13bcf84992801", true), ("AD721901608B401EAEB13BCF84992801", true),
        ("ad721901-608b-401e-aeb1-3bcf84992801", true), ("00000000000000000000000000000000", true),
    ]

    @Test(arguments: numbers) func `the check digit is checked`(number: String, isRight: Bool) throws {
        let client = try HostedFixture().client()
        let code = try status { try client.mpin.checkAccessNumber(number) }
        #expect(code == (isRight ? nil : .incorrectAccessNumber))
    }

    /// The settings of servers whose numbers have a length and no check digit.
    @Test(arguments: [(false, 7, "6419791"), (true, 6, "641979"), (false, 6, "641979")])
    func `without a check digit the length counts`(useCheckSum: Bool, digits: Int, number: String) throws {
        let fixture = try HostedFixture()
        fixture.hosted.change {
            ($0[flag: .accessNumberUseCheckSum], $0[number: .accessNumberDigits]) = (useCheckSum, digits)
        }
        let client = try fixture.client()
        #expect(try status { try client.mpin.checkAccessNumber(number) } == nil)
        for wrong in ["", "1", number + "0", String(number.dropLast()) + "a"] {
            #expect(try status { try client.mpin.checkAccessNumber(wrong) } == .incorrectAccessNumber)
        }
        #expect(fixture.server.requests.isEmpty)
    }

    /// Settings that name no rule for the check digit, or none, and name a length or not.
    @Test(arguments: [(true, ""), (true, ",\"cSum\":0"), (false, ""), (false, ",\"cSum\":0")])
    func `settings that name a length have the check digit checked`(isNamed: Bool, rule: String) throws {
        let fixture = try HostedFixture()
        let asked = fixture.hosted.answer(Exchange(method: "GET", path: "/rps/clientSettings", query: "", body: []))
        let settings = String(decoding: asked.body, as: UTF8.self)
        let others = settings.replacing(",\"cSum\":1", with: rule)
        let bare = isNamed ? others : others.replacing(",\"accessNumberDigits\":7", with: "")
        #expect(others != settings && (bare == others) == isNamed)
        fixture.answer("/rps/clientSettings", .status(200, bare))
        let client = try fixture.client()
        #expect(try status { try client.mpin.checkAccessNumber("4241703") } == nil)
        for wrong in ["6419791", "1"] {
            #expect(
                try status { try client.mpin.checkAccessNumber(wrong) } == (isNamed ? .incorrectAccessNumber : nil))
        }
        #expect(try status { try client.mpin.checkAccessNumber("") } == .incorrectAccessNumber)
    }

    @Test func `before a server is chosen any number is taken`() throws {
        let client = Client(try Fixture().open())
        #expect(try status { try client.mpin.checkAccessNumber("6419791") } == nil)
        #expect(try status { try client.mpin.checkAccessNumber("") } == .incorrectAccessNumber)
    }

    /// A scanned code has no check digit and is taken as it is.
    @Test(arguments: HostedServer.knownCodes) func `a login for a number ends at the server`(code: String) throws {
        let (fixture, client, user) = try HostedFixture.enrolled()
        try client.logIn(user, "4962", accessNumber: code)
        #expect(fixture.last("/rps/pass2", "WID") == code)
        #expect(fixture.server.requests.last == "POST /rps/authenticate")
        #expect(!fixture.server.requests.contains("POST /mpinAuthenticate"))
        #expect(fixture.hosted.bodies("/rps/pass2").last?["OTP"] as? Bool == false)
    }

    @Test(arguments: ["", " ", "4241703\n", "\u{e9}", String(repeating: "1", count: 65)])
    func `an invalid number sends nothing`(number: String) throws {
        let (fixture, client, user) = try HostedFixture.enrolled()
        let pending = try client.mpin.startAuthentication(user)
        fixture.server.forget()
        let code = try status {
            try client.mpin.finishAuthenticationAN(pending, pin: secret("4962"), accessNumber: number)
        }
        #expect(code == .incorrectAccessNumber)
        #expect(fixture.server.requests.isEmpty)
    }

    /// The server may wait for the browser longer than the time for an ordinary call.
    @Test func `the server may hold the last answer`() throws {
        let (fixture, client, user) = try HostedFixture.enrolled(timeout: 3_000)
        fixture.alter("/rps/authenticate") { answer in
            var answer = answer
            answer.delay = 4
            return answer
        }
        try client.logIn(user, "4962", accessNumber: "4241703")
    }

    @Test func `a server without access numbers gets none`() throws {
        let (fixture, client, user) = try Fixture.enrolled()
        #expect(try status { try client.logIn(user, "4962", accessNumber: "4241703") } == .responseParseError)
        #expect(!fixture.server.requests.contains("POST /mpinAuthenticate"))
    }

    @Test func `a start with a code tells the session who comes`() throws {
        let (fixture, client, user) = try HostedFixture.enrolled()
        _ = try client.mpin.startAuthentication(user, accessCode: "4241703")
        #expect(fixture.server.requests.first == "POST /rps/codeStatus")
        let body = try #require(fixture.hosted.bodies("/rps/codeStatus").last) as? [String: String]
        #expect(body == ["status": "user", "wid": "4241703", "userId": "alice@example.org"])
    }

    @Test(arguments: [nil, ""]) func `a start without a code is not announced`(code: String?) throws {
        let (fixture, client, user) = try HostedFixture.enrolled()
        _ = try client.mpin.startAuthentication(user, accessCode: code)
        #expect(!fixture.server.requests.contains("POST /rps/codeStatus"))
    }

    @Test func `a start with a code at a server without such sessions is an ordinary start`() throws {
        let (fixture, client, user) = try Fixture.enrolled()
        let pending = try client.mpin.startAuthentication(user, accessCode: "4241703")
        #expect(!fixture.server.requests.contains { $0.contains("codeStatus") })
        _ = try client.mpin.finishAuthentication(pending, pin: secret("4962"))
    }
}
