// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinCrypto
import MPinWire
import TestPeers
import Testing

/// Faults of the client of 2016 that have no better place: what is missing, malformed, old or secret.
@Suite struct FaultTests {
    /// Paths whose answer has members that a client must have, with the call that fails without them.
    static let required: [(path: String, member: String)] = [
        ("/rps/user", "mpinId"), ("/rps/user", "regOTT"), ("/rps/user", "active"),
        ("/rps/signature", "clientSecretShare"), ("/rps/signature", "params"), ("/dta/clientSecret", "clientSecret"),
        ("/rps/timePermit", "date"), ("/rps/timePermit", "timePermit"), ("/rps/timePermit", "storageId"),
        ("/rps/timePermit", "signature"), ("/dta/timePermit", "timePermit"), ("/rps/pass1", "y"),
        ("/rps/pass2", "authOTT"), ("/rps/clientSettings", "registerURL"), ("/rps/clientSettings", "signatureURL"),
        ("/rps/clientSettings", "certivoxURL"), ("/rps/clientSettings", "timePermitsURL"),
        ("/rps/clientSettings", "mpinAuthServerURL"), ("/rps/clientSettings", "authenticateURL"),
    ]

    /// Registers and logs in while one path's answer is changed; the first failure.
    private func run(_ path: String, _ change: @escaping @Sendable (inout [String: Any]) -> Void) throws -> MPinError? {
        let fixture = try Fixture()
        fixture.alter(path) { usual in
            guard var body = try? JSONSerialization.jsonObject(with: Data(usual.body)) as? [String: Any] else {
                return usual
            }
            change(&body)
            return .json([UInt8]((try? JSONSerialization.data(withJSONObject: body)) ?? Data()))
        }
        return try failure {
            let (client, user) = try fixture.newUser()
            try client.register(user)
            try client.logIn(user, "4962")
        }
    }

    @Test(arguments: required)
    func `C3: members that are required are required`(path: String, member: String) throws {
        #expect(try run(path) { $0[member] = nil }?.code == .responseParseError)
        #expect(try run(path) { $0[member] = NSNull() }?.code == .responseParseError)
        // Anything but a flag there means no, because servers copy it from applications.
        guard member != "active" else { return }
        #expect(try run(path) { $0[member] = [1] }?.code == .responseParseError)
        #expect(try run(path) { $0[member] = "" }?.code == .responseParseError)
    }

    @Test(arguments: [0, -1, 4_294_967_296, 20_700]) func `C8: a permit has a day`(date: Int) throws {
        let error = try run("/rps/timePermit") { $0["date"] = date }
        #expect(error?.code == (date == 20_700 ? nil : .responseParseError))
    }

    @Test func `C8: a permit serves its day only`() throws {
        let (fixture, client, user) = try Fixture.enrolled()
        let pending = try client.mpin.startAuthentication(user)
        let started = Int64(time(nil))
        _ = try client.mpin.finishAuthentication(pending, pin: secret("4962"))
        // Two days ago, by this machine's clock.
        pending.setStart(started - 2 * 86_400)
        fixture.server.forget()
        let old = try refusal(client, pending)
        #expect(old?.code == .flowError && old?.pinChecked == MPinError.PINChecked.no)
        #expect(fixture.server.requests.isEmpty && user.state == .registered)
        pending.setStart(started)
        _ = try client.mpin.finishAuthentication(pending, pin: secret("4962"))
    }

    private func refusal(_ client: Client, _ pending: borrowing PendingAuthentication) throws -> MPinError? {
        do {
            _ = try client.mpin.finishAuthentication(pending, pin: secret("4962"))
            return nil
        } catch let error as MPinError { return error }
    }

    /// Invalid points: characters that are no digits, an odd number of digits, too few and too many, another curve.
    static let badPoints = [
        "zz" + String(repeating: "0", count: 128), String(repeating: "0", count: 130), "04",
        "04" + String(repeating: "1", count: 127), "04" + String(repeating: "1", count: 129),
        "04" + String(repeating: "1", count: 130), "04" + String(repeating: "1", count: 128),
        "02" + String(repeating: "1", count: 128), "04" + String(repeating: "f", count: 128), "0 " + "4",
    ]

    @Test(arguments: badPoints)
    func `C15: a point is 65 bytes of strict hexadecimal on the curve`(point: String) throws {
        let places = [
            ("/rps/signature", "clientSecretShare"), ("/dta/clientSecret", "clientSecret"),
            ("/rps/timePermit", "timePermit"), ("/dta/timePermit", "timePermit"),
        ]
        for (path, member) in places {
            let code = try run(path) { $0[member] = point }?.code
            #expect(code == .responseParseError || code == .cryptoError, "\(path)")
        }
        // The store's answer is only a shortcut: without it, the authority is asked.
        let fixture = try HostedFixture()
        fixture.reference.storage = "/storage"
        let (client, user) = try fixture.enrolled()
        fixture.answer("/storage", .status(200, point))
        for _ in 1...2 { try client.logIn(user, "4962") }
        #expect(fixture.requests(of: "GET /dta/timePermit") == 1)
    }

    /// A reader that takes what is no digit for 0, or leaves out an odd one, would get the right points here.
    @Test(arguments: ["g", " ", "o", "\0", "O"]) func `C15: a digit is a digit`(digit: Character) throws {
        let places = [
            ("/rps/signature", "clientSecretShare"), ("/dta/clientSecret", "clientSecret"),
            ("/rps/timePermit", "timePermit"), ("/dta/timePermit", "timePermit"), ("/rps/pass2", "authOTT"),
            ("/rps/timePermit", "storageId"), ("/rps/user", "regOTT"), ("/rps/user", "mpinId"), ("/rps/pass1", "y"),
        ]
        for (path, member) in places {
            let replaced = try run(path) { body in
                guard let text = body[member] as? String else { return }
                let zero = text.dropFirst(2).firstIndex(of: "0") ?? text.index(before: text.endIndex)
                body[member] = text.replacingCharacters(in: zero...zero, with: String(digit))
            }
            #expect(replaced?.code == .responseParseError, "\(path) \(member)")
            let longer = try run(path) { body in body[member] = (body[member] as? String).map { $0 + "0" } }
            #expect(longer?.code == .responseParseError, "\(path) \(member)")
        }
    }

    @Test func `C13: no failure reveals a secret, an identity or an address`() throws {
        let paths = ["/rps/user", "/rps/signature", "/dta/clientSecret", "/rps/timePermit", "/rps/pass1", "/rps/pass2"]
        for path in paths {
            for answer in ["<html>", "{}"] {
                let (fixture, client, user) = try HostedFixture.newUser()
                fixture.answer(path, .status(200, answer))
                let failed = try failure {
                    try client.register(user)
                    try client.logIn(user, "4962")
                }
                let message = try #require(failed).message
                for secret in ["alice", "unix:", "http", "/", "4962", "{", "<", "regOTT"] {
                    #expect(!message.contains(secret), "\(path): \(message)")
                }
                #expect(message.split(separator: " ").allSatisfy { $0.count < 30 })
            }
        }
    }

    @Test func `C13: a blocked user's permit leaves no residue`() throws {
        let (fixture, client, user) = try Fixture.enrolled()
        for _ in 1...3 { _ = try? client.logIn(user, "4963") }
        for path in [fixture.recordPath, fixture.cachePath] {
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(!text.contains("202020") && !text.contains("0000000000"))
        }
    }

    @Test func `a replaced master secret is remembered`() throws {
        let (fixture, client, user) = try HostedFixture.enrolled()
        fixture.answer("/mpinAuthenticate", .status(409))
        #expect(try status { try client.logIn(user, "4962") } == .clientSecretExpired)
        #expect(user.lastRefusal == .clientSecretExpired && user.state == .registered)
        #expect(try fixture.open().allUsers.first?.lastRefusal == .clientSecretExpired)
    }

    /// The server decides how many wrong PINs block.
    @Test(arguments: [1, 2, 5]) func `the server counts the attempts`(most: Int) throws {
        let (fixture, client, user) = try HostedFixture.enrolled()
        for attempt in 1...most {
            fixture.answer(
                "/mpinAuthenticate",
                .status(attempt == most ? 410 : 401, "{\"attemptsLeft\":\(most - attempt)}"))
            #expect(try status { try client.logIn(user, "4963") } == .incorrectPIN)
            #expect(user.attemptsLeft == most - attempt)
            #expect(user.state == (attempt == most ? .blocked : .registered))
        }
    }

    /// Some servers refuse an access number without saying that the PIN was wrong as well, except by what is left.
    @Test func `a wrong PIN with an unknown number is reported as one`() throws {
        let (fixture, client, user) = try HostedFixture.enrolled()
        for left in [2, 1, 0] {
            fixture.answer("/rps/authenticate", .status(412, "{\"attemptsLeft\":\(left)}"))
            let error = try failure { try client.logIn(user, "4963", accessNumber: "6418791") }
            #expect(error?.code == .incorrectPIN && error?.attemptsLeft == left)
            #expect(user.attemptsLeft == left)
            #expect(user.state == (left == 0 ? .blocked : .registered))
        }
        let again = Client(try fixture.open())
        let stored = again.mpin.allUsers.first
        #expect(stored?.state == .blocked && stored?.attemptsLeft == 0)
    }

    @Test(arguments: [403, 408, 429, 500]) func `what is left is learned from every answer`(code: Int) throws {
        let (fixture, client, user) = try HostedFixture.enrolled()
        fixture.answer("/mpinAuthenticate", .status(code, "{\"attemptsLeft\":1}"))
        #expect(try status { try client.logIn(user, "4963") } != nil)
        #expect(user.attemptsLeft == 1 && user.state == .registered)
        #expect(try fixture.open().allUsers.first?.attemptsLeft == 1)
    }

    @Test(arguments: ["/rps/clientSettings", "/rps/timePermit", "/rps/pass1"])
    func `what is left is learned only where a PIN is judged`(path: String) throws {
        let (fixture, client, user) = try HostedFixture.enrolled()
        fixture.answer(path, .status(403, "{\"attemptsLeft\":1}"))
        let error = try failure {
            if path == "/rps/clientSettings" { try client.mpin.testBackend(fixture.server.url) }
            try client.logIn(user, "4962")
        }
        #expect(error != nil && error?.attemptsLeft == nil)
        #expect(user.attemptsLeft == nil)
        #expect(try fixture.open().allUsers.first?.attemptsLeft == nil)
    }

    @Test func `what is left is learned from pass 2 too`() throws {
        let (fixture, client, user) = try HostedFixture.enrolled()
        fixture.answer("/rps/pass2", .status(403, "{\"attemptsLeft\":1}"))
        #expect(try failure { try client.logIn(user, "4962") }?.attemptsLeft == 1)
        #expect(user.attemptsLeft == 1)
    }

    @Test func `a revocation has its reason`() throws {
        let (fixture, client, user) = try HostedFixture.enrolled()
        let long = String(repeating: "\u{e9}", count: 150)
        let reasons = [
            ("laptop lost", "laptop lost"), ("a\\u001b[31mb\\u202ec", "a?[31mb?c"), ("", nil),
            (long, String(repeating: "\u{e9}", count: 100)),
        ]
        for (sent, shown) in reasons {
            fixture.answer("/rps/timePermit", .status(410, "{\"reason\":\"\(sent)\"}"))
            #expect(try status { try client.logIn(user, "4962") } == .revoked)
            #expect(user.lastRefusal == .revoked && user.refusalReason == shown)
            #expect(try fixture.open().allUsers.first?.refusalReason == shown)
        }
        fixture.answerAsEver()
        try client.logIn(user, "4962")
        #expect(user.lastRefusal == nil && user.refusalReason == nil)
        #expect(try fixture.open().allUsers.first?.refusalReason == nil)
    }

    @Test func `a server without permits is asked for none`() throws {
        let fixture = try HostedFixture()
        fixture.hosted.change { $0[flag: .usePermits] = false }
        let (client, user) = try fixture.enrolled()
        fixture.answer("/mpinAuthenticate", .status(200, "{}"))
        try client.logIn(user, "4962")
        #expect(fixture.server.requests == ["POST /rps/pass1", "POST /rps/pass2", "POST /mpinAuthenticate"])
        #expect(fixture.last("/rps/pass1", "UT") == "" && fixture.last("/rps/pass1", "U")?.count == 130)
    }
}
