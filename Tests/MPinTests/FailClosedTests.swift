// SPDX-License-Identifier: Apache-2.0
import MPin
import TestPeers
import Testing

/// Every request of a login and of a registration, answered with everything that is not the right answer.
@Suite struct FailClosedTests {
    static let wrongAnswers: [Answer] =
        [
            201, 202, 204, 206, 299, 300, 301, 302, 304, 307, 400, 401, 403, 404, 405, 406, 408, 409, 410, 412, 418,
            429, 500, 501, 502,
            503, 504, 599,
        ].map { .status($0, "{}") }
        + [
            "<html><body>Please sign in to this network</body></html>", "[]", "[{}]", "{", "{\"", "null", "true", "0",
            "\"ok\"",
            "", "  \n", "{}{}", "{\"a\":1,\"a\":2}", String(repeating: "[", count: 5000),
            String(repeating: "{\"a\":", count: 400),
            "\u{feff}{}",
        ].map { .status(200, $0) }
        + [
            .hangUp, Answer(body: [UInt8](repeating: 0x20, count: 70_000)),
            Answer(raw: Array("HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n{}".utf8)),
            Answer(raw: Array("HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n".utf8)),
            Answer(raw: Array("SSH-2.0-OpenSSH_9.2\r\n".utf8)), Answer(raw: [0, 1, 2, 255]),
            Answer(status: 302, headers: "Location: https://example.org/\r\n"),
        ]

    /// The requests of a login whose answers are needed.
    static let login = ["/rps/timePermit", "/rps/pass1", "/rps/pass2"]

    @Test(arguments: login, 0..<wrongAnswers.count)
    func `no wrong answer logs in`(path: String, wrong: Int) throws {
        let (fixture, client, user) = try Fixture.enrolled()
        fixture.answer(path, FailClosedTests.wrongAnswers[wrong])
        #expect(try status { try client.logIn(user, "4962") } != nil)
        #expect(!fixture.server.requests.contains("POST /mpinAuthenticate"))
        #expect(user.state == .registered)
        #expect(fixture.requests(of: "POST /rps/pass2") <= 2)
    }

    /// The last answer decides alone: 200 with an object.
    /// Whatever comes instead, the login has failed, an attempt may have been spent, and nothing is sent twice.
    @Test(arguments: 0..<wrongAnswers.count)
    func `no wrong last answer logs in`(wrong: Int) throws {
        let (fixture, client, user) = try Fixture.enrolled()
        let answer = FailClosedTests.wrongAnswers[wrong]
        fixture.answer("/mpinAuthenticate", answer)
        let error = try failure { try client.logIn(user, "4962") }
        #expect(error != nil)
        #expect(error?.pinChecked != .no)
        #expect(user.state == (answer.status == 410 && answer.raw == nil ? .blocked : .registered))
        #expect(fixture.requests(of: "POST /mpinAuthenticate") == 1)
        #expect(fixture.requests(of: "POST /rps/pass2") == 1)
    }

    @Test(arguments: ["/rps/user", "/rps/signature", "/dta/clientSecret"], 0..<wrongAnswers.count)
    func `no wrong answer registers`(path: String, wrong: Int) throws {
        let (fixture, client, user) = try Fixture.newUser()
        fixture.answer(path, FailClosedTests.wrongAnswers[wrong])
        let failed = try status {
            try client.mpin.startRegistration(user)
            try client.mpin.confirmRegistration(user)
        }
        #expect(failed != nil)
        #expect(user.state == (path == "/rps/user" ? .invalid : .activated))
        #expect(try status { try client.mpin.finishRegistration(user, pin: secret("4962")) } == .flowError)
    }

    @Test(arguments: [
        "00000000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "2400000008702a0db0bddf647a6366d2c43fd6ee0cc906cebe11c0a636eb1f6d",
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", "12", "zz", "",
        String(repeating: "1", count: 62), String(repeating: "1", count: 63), String(repeating: "1", count: 65),
        String(repeating: "1", count: 66), String(repeating: "1", count: 128),
    ])
    func `a bad challenge ends the login here`(y: String) throws {
        let (fixture, client, user) = try Fixture.enrolled()
        fixture.answer("/rps/pass1", .status(200, "{\"y\":\"\(y)\",\"pass\":1}"))
        #expect(try status { try client.logIn(user, "4962") } == .responseParseError)
        #expect(!fixture.server.requests.contains("POST /rps/pass2"))
    }

    @Test func `a silent server ends within the budget`() throws {
        let (fixture, client, user) = try Fixture.enrolled(timeout: 1_500)
        for path in ["/rps/timePermit", "/rps/pass1", "/rps/pass2", "/mpinAuthenticate"] {
            fixture.answer(path, Answer(raw: [], delay: 60))
            let start = ContinuousClock.now
            #expect(try status { try client.logIn(user, "4962") } == .networkError)
            #expect(ContinuousClock.now - start < .seconds(20))
        }
    }
}
