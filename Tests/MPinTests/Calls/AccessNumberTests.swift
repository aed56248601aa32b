import Foundation
import MPin
import MPinWire
import TestPeers
import Testing

@Suite struct AccessNumberTests {
    /// The person may take a minute for the PIN; servers close connections before that.
    @Test func `a login started before the PIN is typed outlives its connection`() throws {
        let fixture = try HostedFixture()
        let (client, user) = try fixture.fixture.enrolled()
        let hosted = fixture.hosted
        fixture.server.answer { exchange in
            let answer = hosted.answer(exchange)
            guard exchange.path == "/dta/timePermit" else { return answer }
            let head = "HTTP/1.1 200 OK\r\nContent-Length: \(answer.body.count)\r\n\r\n"
            return Answer(raw: Array(head.utf8) + answer.body)
        }
        let pending = try client.mpin.startAuthentication(user, accessCode: "4241703")
        #expect(fixture.last("/rps/codeStatus", "userId") == "alice@example.org")
        usleep(200_000)
        let connections = fixture.server.connections
        try client.mpin.finishAuthenticationAN(pending, pin: secret("4962"), accessNumber: "4241703")
        #expect(fixture.server.connections == connections + 1)
        #expect(fixture.server.requests.filter { $0 == "POST /rps/pass2" }.count == 1)
    }

    @Test func `a revoked user is told before the PIN is typed`() throws {
        let fixture = try HostedFixture()
        let (client, user) = try fixture.fixture.enrolled()
        fixture.answer("/rps/timePermit", .status(410, "{\"reason\":\"left\"}"))
        #expect(
            try status { _ = try client.mpin.startAuthentication(user, accessCode: "4241703") } == .revoked)
        #expect(user.refusalReason == "left")
        #expect(!fixture.server.requests.contains { $0.contains("pass") })
    }

    static let numbers: [(String, Bool)] = [
        ("4241703", true), ("6418791", true), ("5653282", true), ("9584382", true), ("0529362", true),
        ("6419791", false), ("1234567", false), ("4241702", false), ("424170", false), ("42417030", false),
        ("424170a", false), (" 4241703", false), ("\u{664}241703", false), ("", false),
        // Six zeros have the check digit 0, which no server issues.
        ("0000000", true), ("0000001", false),
    ]

    @Test(arguments: numbers) func `the check digit is checked`(number: String, isRight: Bool) throws {
        let client = try HostedFixture().client()
        let code = try status { try client.mpin.checkAccessNumber(number) }
        #expect(code == (isRight ? nil : .incorrectAccessNumber))
    }

    /// The members of the settings that switch the check off, each by itself.
    @Test(arguments: [(0, true, 7), (1, false, 7), (1, true, 6)])
    func `without a check sum anything goes`(checkSum: Int, useCheckSum: Bool, digits: Int) throws {
        let fixture = try HostedFixture()
        fixture.hosted.change {
            ($0.checkSum, $0.accessNumberUseCheckSum, $0.accessNumberDigits) = (checkSum, useCheckSum, digits)
        }
        let client = try fixture.client()
        for number in ["1", "6419791", "ad721901608b401eaeb13bcf84992801"] {
            #expect(try status { try client.mpin.checkAccessNumber(number) } == nil)
        }
        #expect(try status { try client.mpin.checkAccessNumber("") } == .incorrectAccessNumber)
        #expect(fixture.server.requests.isEmpty)
    }

    @Test func `before a server is chosen any number is taken`() throws {
        let client = Client(try Fixture().open())
        #expect(try status { try client.mpin.checkAccessNumber("6419791") } == nil)
        #expect(try status { try client.mpin.checkAccessNumber("") } == .incorrectAccessNumber)
    }

    /// A scanned code has no check digit and is taken as it is.
    @Test(arguments: HostedServer.knownCodes) func `a login for a number ends at the server`(code: String) throws {
        let fixture = try HostedFixture()
        let (client, user) = try fixture.fixture.enrolled()
        try client.logIn(user, "4962", accessNumber: code)
        #expect(fixture.last("/rps/pass2", "WID") == code)
        #expect(fixture.server.requests.last == "POST /rps/authenticate")
        #expect(!fixture.server.requests.contains("POST /mpinAuthenticate"))
        #expect(fixture.hosted.bodies("/rps/pass2").last?["OTP"] as? Bool == false)
    }

    @Test func `an empty number is an ordinary login`() throws {
        let fixture = try HostedFixture()
        let (client, user) = try fixture.fixture.enrolled()
        try client.logIn(user, "4962", accessNumber: "")
        #expect(fixture.last("/rps/pass2", "WID") == "0")
        #expect(fixture.server.requests.last == "POST /mpinAuthenticate")
    }

    @Test func `an unknown number is incorrect`() throws {
        let fixture = try HostedFixture()
        let (client, user) = try fixture.fixture.enrolled()
        #expect(
            try status { try client.logIn(user, "4962", accessNumber: "6418791") } == .incorrectAccessNumber)
        #expect(user.state == .registered)
        #expect(!client.canLogout(user))
        try client.logIn(user, "4962", accessNumber: "4241703")
    }

    @Test func `a wrong PIN is a wrong PIN`() throws {
        let fixture = try HostedFixture()
        let (client, user) = try fixture.fixture.enrolled()
        for _ in 1...3 {
            #expect(try status { try client.logIn(user, "4963", accessNumber: "4241703") } == .incorrectPIN)
        }
        #expect(user.state == .blocked)
    }

    @Test(arguments: ["4241 703", "4241703\n", "\u{e9}", String(repeating: "1", count: 65)])
    func `what is no number sends nothing`(number: String) throws {
        let fixture = try HostedFixture()
        let (client, user) = try fixture.fixture.enrolled()
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
        let fixture = try HostedFixture()
        let (client, user) = try fixture.fixture.enrolled(timeout: 700)
        let hosted = fixture.hosted
        fixture.server.answer { exchange in
            var answer = hosted.answer(exchange)
            if exchange.path == "/rps/authenticate" { answer.delay = 1.2 }
            return answer
        }
        try client.logIn(user, "4962", accessNumber: "4241703")
    }

    @Test func `a server without access numbers takes none`() throws {
        let fixture = try Fixture()
        let (client, user) = try fixture.enrolled()
        #expect(try status { try client.logIn(user, "4962", accessNumber: "4241703") } == .responseParseError)
        #expect(!fixture.server.requests.contains("POST /mpinAuthenticate"))
    }

    @Test func `a start with a code tells the session who comes`() throws {
        let fixture = try HostedFixture()
        let (client, user) = try fixture.fixture.enrolled()
        _ = try client.mpin.startAuthentication(user, accessCode: "4241703")
        #expect(fixture.server.requests.first == "POST /rps/codeStatus")
        let body = try #require(fixture.hosted.bodies("/rps/codeStatus").last) as? [String: String]
        #expect(body == ["status": "user", "wid": "4241703", "userId": "alice@example.org"])
    }

    @Test(arguments: [nil, ""]) func `a start without a code tells nobody`(code: String?) throws {
        let fixture = try HostedFixture()
        let (client, user) = try fixture.fixture.enrolled()
        _ = try client.mpin.startAuthentication(user, accessCode: code)
        #expect(!fixture.server.requests.contains("POST /rps/codeStatus"))
    }

    @Test func `a start with a code at a server without such sessions is an ordinary start`() throws {
        let fixture = try Fixture()
        let (client, user) = try fixture.enrolled()
        let pending = try client.mpin.startAuthentication(user, accessCode: "4241703")
        #expect(!fixture.server.requests.contains { $0.contains("codeStatus") })
        _ = try client.mpin.finishAuthentication(pending, pin: secret("4962"))
    }
}
