// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinWire
import TestPeers
import Testing

/// Settings that an earlier call or process left, and a server that has moved since.
@Suite struct CachedSettingsTests {
    /// What of a server has moved below another path; the old one is a 404.
    enum Part: String, CaseIterable, Sendable {
        case registerURL, signatureURL, certivoxURL, timePermitsURL, mpinAuthServerURL

        /// How the paths of this part began.
        var oldPrefix: String {
            switch self {
            case .registerURL: "/rps/user"
            case .signatureURL: "/rps/signature"
            case .certivoxURL: "/dta/"
            case .timePermitsURL: "/rps/timePermit"
            case .mpinAuthServerURL: "/rps/pass"
            }
        }
    }

    /// Moves parts of the server, or its last call.
    private func move(_ fixture: Fixture, _ parts: [Part], lastCall: Bool = false) {
        let reference = fixture.reference
        let gone: @Sendable (String) -> Bool = { path in
            parts.contains { path.hasPrefix($0.oldPrefix) } || lastCall && path == "/mpinAuthenticate"
        }
        fixture.server.answer { exchange in
            if gone(exchange.path) { return .status(404) }
            let path = exchange.path.hasPrefix("/moved/") ? String(exchange.path.dropFirst(6)) : exchange.path
            let answer = reference.answer(
                Exchange(method: exchange.method, path: path, query: exchange.query, body: exchange.body))
            guard path == "/rps/clientSettings", var settings = try? ClientSettings.decode(answer.body.span) else {
                return answer
            }
            for part in parts {
                switch part {
                case .registerURL: settings[.registerURL] = "/moved/rps/user"
                case .signatureURL: settings[.signatureURL] = "/moved/rps/signature"
                case .certivoxURL: settings[.certivoxURL] = "/moved/dta"
                case .timePermitsURL: settings[.timePermitsURL] = "/moved/rps/timePermit"
                case .mpinAuthServerURL: settings[.mpinAuthServerURL] = "/moved/rps"
                }
            }
            if lastCall { settings[.authenticateURL] = "/moved/mpinAuthenticate" }
            return .json(settings.encode())
        }
    }

    @Test func `settings that lead nowhere cost no attempt and are read again`() throws {
        let (fixture, _, _) = try Fixture.enrolled()
        fixture.alterSettings { $0[.authenticateURL] = "file:///x" }
        let (next, user) = try fixture.nextProcess()
        let error = #expect(throws: MPinError.self) { try next.logIn(user, "4962") }
        #expect(error?.code == .responseParseError && error?.pinChecked == MPinError.PINChecked.no)
        #expect(fixture.requests(of: "/pass2") == 0)
        // What that login left does not keep the next ones out once the server is repaired.
        fixture.answerAsEver()
        let (later, same) = try fixture.nextProcess()
        try later.logIn(same, "4962")
        #expect(fixture.requests(of: "/rps/clientSettings") == 1)
    }

    @Test(arguments: [Part.timePermitsURL, .mpinAuthServerURL]) func `a login finds a server that has moved`(part: Part)
        throws
    {
        let (fixture, client, user) = try Fixture.enrolled()
        try client.logIn(user, "4962")
        move(fixture, [part])
        let (next, same) = try fixture.nextProcess()
        try next.logIn(same, "4962")
        #expect(fixture.requests(of: "/rps/clientSettings") == 1)
        #expect(fixture.requests(of: "/pass2") == 1 && fixture.requests(of: "/mpinAuthenticate") == 1)
        // What it has read serves those that follow.
        let (third, again) = try fixture.nextProcess()
        try third.logIn(again, "4962")
        #expect(fixture.requests(of: "/rps/clientSettings") == 0)
    }

    @Test func `the second permit share is found`() throws {
        let (fixture, client, user) = try Fixture.enrolled()
        try client.logIn(user, "4962")
        move(fixture, [.certivoxURL])
        // The share of the day is no longer there, and the settings are those of the same day.
        let text = try String(contentsOfFile: fixture.cachePath, encoding: .utf8)
        let share = try #require(text.range(of: ",\"day\":20700"))
        let end = try #require(text.range(of: "\"}", range: share.lowerBound..<text.endIndex))
        try text.replacingCharacters(in: share.lowerBound..<end.upperBound, with: "}").write(
            toFile: fixture.cachePath, atomically: false, encoding: .utf8)
        let (next, same) = try fixture.nextProcess()
        try next.logIn(same, "4962")
        #expect(fixture.requests(of: "/rps/clientSettings") == 1)
        #expect(fixture.server.requests.contains("GET /moved/dta/timePermit"))
    }

    @Test(arguments: [Part.registerURL, .signatureURL, .certivoxURL])
    func `a registration finds a server that has moved`(part: Part) throws {
        let fixture = try Fixture()
        let client = try fixture.client()
        move(fixture, [part])
        fixture.server.forget()
        try client.register(client.mpin.makeUser("alice@example.org"))
        #expect(fixture.requests(of: "/rps/clientSettings") == 1)
    }

    /// The request that decides is never repeated, but the next login asks where to go.
    @Test func `the last call is not repeated and the next login reads the settings`() throws {
        let (fixture, client, user) = try Fixture.enrolled()
        try client.logIn(user, "4962")
        move(fixture, [], lastCall: true)
        let (next, same) = try fixture.nextProcess()
        #expect(try status { try next.logIn(same, "4962") } == .httpRequestError)
        #expect(fixture.requests(of: "/rps/clientSettings") == 0)
        #expect(fixture.requests(of: "/pass1") == 1 && fixture.requests(of: "/pass2") == 1)
        #expect(fixture.requests(of: "/mpinAuthenticate") == 1)
        let (third, again) = try fixture.nextProcess()
        try third.logIn(again, "4962")
        #expect(fixture.requests(of: "/rps/clientSettings") == 1)
        // So does the next one of the same client.
        try next.logIn(same, "4962")
    }

    /// After pass 2 there is one more pass 1 where the server has judged nothing, and then no more.
    @Test func `pass one is not repeated after pass two`() throws {
        let (fixture, client, user) = try Fixture.enrolled()
        try client.logIn(user, "4962")
        let (next, same) = try fixture.nextProcess()
        let reference = fixture.reference
        let passes = Countdown(1)
        fixture.server.answer { exchange in
            switch exchange.path {
            case "/rps/pass1": passes.tick() ? reference.answer(exchange) : .status(404)
            case "/rps/pass2": .status(500)
            default: reference.answer(exchange)
            }
        }
        #expect(try status { try next.logIn(same, "4962") } == .httpRequestError)
        #expect(fixture.requests(of: "/rps/clientSettings") == 0)
        #expect(fixture.requests(of: "/pass1") == 2 && fixture.requests(of: "/pass2") == 1)
    }

    @Test(arguments: [
        ("/rps/timePermit", 403), ("/rps/timePermit", 410), ("/mpinAuthenticate", 401), ("/rps/pass1", 429),
    ])
    func `a verdict is no reason to read them`(path: String, code: Int) throws {
        let (fixture, client, user) = try Fixture.enrolled()
        try client.logIn(user, "4962")
        let (next, same) = try fixture.nextProcess()
        fixture.answer(path, .status(code))
        #expect(try status { try next.logIn(same, "4962") } != nil)
        #expect(fixture.requests(of: "/rps/clientSettings") == 0)
        #expect(fixture.requests(of: path) == 1)
    }

    /// A registration may have been made although its answer was lost; the same place is not asked for another.
    @Test func `a registration is not asked for twice at one place`() throws {
        let fixture = try Fixture()
        let client = try fixture.client()
        let reference = fixture.reference
        fixture.server.answer { $0.method == "PUT" ? .hangUp : reference.answer($0) }
        fixture.server.forget()
        let user = client.mpin.makeUser("alice@example.org")
        #expect(try status { try client.mpin.startRegistration(user, activateCode: "code") } == .networkError)
        #expect(fixture.requests(of: "PUT /rps/user") == 1)
        #expect(user.state == .invalid)
    }

    @Test func `a login without anything kept reads them once`() throws {
        let (fixture, _, _) = try Fixture.enrolled()
        let (client, user) = try fixture.nextProcess()
        try client.logIn(user, "4962")
        #expect(fixture.requests(of: "/rps/clientSettings") == 1)
    }

    @Test func `answering an access number reads them once at most`() throws {
        let (fixture, _, _) = try HostedFixture.enrolled()
        for expected in [1, 0] {
            let client = Client(try fixture.open())
            let listed = client.mpin.allUsers.first
            let user = try #require(listed)
            fixture.server.forget()
            try client.mpin.setBackend(of: user)
            #expect(try client.mpin.getSessionDetails("4241703").appName == "Demo")
            try client.logIn(user, "4962", accessNumber: "4241703")
            #expect(fixture.requests(of: "/rps/clientSettings") == expected)
        }
    }

    /// An application that runs for long has its settings from long ago.
    @Test func `session details find a server that has moved`() throws {
        let fixture = try HostedFixture()
        let client = try fixture.client()
        let hosted = fixture.hosted
        hosted.change { $0[.codeStatusURL] = "/moved/codeStatus" }
        fixture.server.answer { exchange in
            switch exchange.path {
            case "/rps/codeStatus": .status(404)
            case "/moved/codeStatus":
                hosted.answer(Exchange(method: "POST", path: "/rps/codeStatus", query: "", body: exchange.body))
            default: hosted.answer(exchange)
            }
        }
        #expect(try client.mpin.getSessionDetails("4241703").appName == "Demo")
        #expect(fixture.requests(of: "/rps/clientSettings") == 1)
    }
}
