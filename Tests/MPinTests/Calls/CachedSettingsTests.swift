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

    private func readings(_ fixture: Fixture) -> Int {
        fixture.server.requests.filter { $0 == "GET /rps/clientSettings" }.count
    }

    private func count(_ fixture: Fixture, _ end: String) -> Int {
        fixture.server.requests.filter { $0.hasSuffix(end) }.count
    }

    /// A process that has logged in before this one left its settings.
    private func nextProcess(_ fixture: Fixture) throws -> (Client, User) {
        let client = Client(try fixture.open())
        try client.mpin.selectBackend(fixture.server.url)
        fixture.server.forget()
        return (client, try #require(client.mpin.users.first))
    }

    @Test func `settings that lead nowhere cost no attempt and are read again`() throws {
        let fixture = try Fixture()
        _ = try fixture.enrolled()
        let reference = fixture.reference
        fixture.server.answer { exchange in
            let answer = reference.answer(exchange)
            guard exchange.path == "/rps/clientSettings", var settings = try? ClientSettings.decode(answer.body.span)
            else { return answer }
            settings[.authenticateURL] = "file:///x"
            return .json(settings.encode())
        }
        let (next, user) = try nextProcess(fixture)
        let error = #expect(throws: MPinError.self) { try next.logIn(user, "4962") }
        #expect(error?.code == .responseParseError && error?.pinChecked == MPinError.PINChecked.no)
        #expect(count(fixture, "/pass2") == 0)
        // What that login left does not keep the next ones out once the server is repaired.
        fixture.server.answer { reference.answer($0) }
        let (later, same) = try nextProcess(fixture)
        try later.logIn(same, "4962")
        #expect(readings(fixture) == 1)
    }

    @Test(arguments: [Part.timePermitsURL, .mpinAuthServerURL]) func `a login finds a server that has moved`(part: Part)
        throws
    {
        let fixture = try Fixture()
        let (client, user) = try fixture.enrolled()
        try client.logIn(user, "4962")
        move(fixture, [part])
        let (next, same) = try nextProcess(fixture)
        try next.logIn(same, "4962")
        #expect(readings(fixture) == 1)
        #expect(count(fixture, "/pass2") == 1 && count(fixture, "/mpinAuthenticate") == 1)
        // What it has read serves those that follow.
        let (third, again) = try nextProcess(fixture)
        try third.logIn(again, "4962")
        #expect(readings(fixture) == 0)
    }

    @Test func `the second permit share is found`() throws {
        let fixture = try Fixture()
        let (client, user) = try fixture.enrolled()
        try client.logIn(user, "4962")
        move(fixture, [.certivoxURL])
        // The share of the day is no longer there, and the settings are those of the same day.
        let text = try String(contentsOfFile: fixture.cachePath, encoding: .utf8)
        let share = try #require(text.range(of: ",\"day\":20700"))
        let end = try #require(text.range(of: "\"}", range: share.lowerBound..<text.endIndex))
        try text.replacingCharacters(in: share.lowerBound..<end.upperBound, with: "}").write(
            toFile: fixture.cachePath, atomically: false, encoding: .utf8)
        let (next, same) = try nextProcess(fixture)
        try next.logIn(same, "4962")
        #expect(readings(fixture) == 1)
        #expect(fixture.server.requests.contains("GET /moved/dta/timePermit"))
    }

    @Test(arguments: [Part.registerURL, .signatureURL, .certivoxURL])
    func `a registration finds a server that has moved`(part: Part) throws {
        let fixture = try Fixture()
        let client = Client(try fixture.open())
        try client.mpin.setBackend(fixture.server.url)
        move(fixture, [part])
        fixture.server.forget()
        try client.register(client.mpin.makeUser("alice@example.org"), "4962")
        #expect(readings(fixture) == 1)
    }

    /// The request that decides is never repeated, but the next login asks where to go.
    @Test func `the last call is not repeated and the next login reads the settings`() throws {
        let fixture = try Fixture()
        let (client, user) = try fixture.enrolled()
        try client.logIn(user, "4962")
        move(fixture, [], lastCall: true)
        let (next, same) = try nextProcess(fixture)
        #expect(try status { try next.logIn(same, "4962") } == .httpRequestError)
        #expect(readings(fixture) == 0)
        #expect(count(fixture, "/pass1") == 1 && count(fixture, "/pass2") == 1)
        #expect(count(fixture, "/mpinAuthenticate") == 1)
        let (third, again) = try nextProcess(fixture)
        try third.logIn(again, "4962")
        #expect(readings(fixture) == 1)
        // So does the next one of the same client.
        try next.logIn(same, "4962")
    }

    /// After pass 2 there is one more pass 1 where the server has judged nothing, and then no more.
    @Test func `pass one is not repeated after pass two`() throws {
        let fixture = try Fixture()
        let (client, user) = try fixture.enrolled()
        try client.logIn(user, "4962")
        let (next, same) = try nextProcess(fixture)
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
        #expect(readings(fixture) == 0)
        #expect(count(fixture, "/pass1") == 2 && count(fixture, "/pass2") == 1)
    }

    @Test(arguments: [
        ("/rps/timePermit/", 403), ("/rps/timePermit/", 410), ("/mpinAuthenticate", 401), ("/rps/pass1", 429),
    ])
    func `a verdict is no reason to read them`(path: String, code: Int) throws {
        let fixture = try Fixture()
        let (client, user) = try fixture.enrolled()
        try client.logIn(user, "4962")
        let (next, same) = try nextProcess(fixture)
        let reference = fixture.reference
        fixture.server.answer { $0.path.hasPrefix(path) ? .status(code) : reference.answer($0) }
        #expect(try status { try next.logIn(same, "4962") } != nil)
        #expect(readings(fixture) == 0)
        #expect(fixture.server.requests.filter { $0.contains(path) }.count == 1)
    }

    /// A registration may have been made although its answer was lost; the same place is not asked for another.
    @Test func `a registration is not asked for twice at one place`() throws {
        let fixture = try Fixture()
        let client = Client(try fixture.open())
        try client.mpin.setBackend(fixture.server.url)
        let reference = fixture.reference
        fixture.server.answer { $0.method == "PUT" ? .hangUp : reference.answer($0) }
        fixture.server.forget()
        let user = client.mpin.makeUser("alice@example.org")
        #expect(try status { try client.mpin.startRegistration(user, activateCode: "code") } == .networkError)
        #expect(fixture.server.requests.filter { $0 == "PUT /rps/user" }.count == 1)
        #expect(user.state == .invalid)
    }

    @Test func `a login without anything kept reads them once`() throws {
        let fixture = try Fixture()
        _ = try fixture.enrolled()
        let (client, user) = try nextProcess(fixture)
        try client.logIn(user, "4962")
        #expect(readings(fixture) == 1)
    }

    @Test func `answering an access number reads them once at most`() throws {
        let fixture = try HostedFixture()
        _ = try fixture.fixture.enrolled()
        for expected in [1, 0] {
            let client = Client(try fixture.fixture.open())
            let listed = client.mpin.allUsers.first
            let user = try #require(listed)
            fixture.server.forget()
            try client.mpin.setBackend(of: user)
            #expect(try client.mpin.getSessionDetails("4241703").appName == "Demo")
            try client.logIn(user, "4962", accessNumber: "4241703")
            #expect(readings(fixture.fixture) == expected)
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
        #expect(readings(fixture.fixture) == 1)
    }
}
