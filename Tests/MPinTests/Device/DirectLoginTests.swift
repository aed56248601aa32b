// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinWire
import TestPeers
import Testing

/// Logins of registrations with a device key: one request, and what its answers mean.
@Suite struct DirectLoginTests {
    static let only = ["POST /mpinDirect"]

    @Test func `one request, and no request before the PIN`() throws {
        let (fixture, client, user) = try DirectFixture.warm()
        #expect(user.keyPlace == .file)
        let connections = fixture.server.connections
        let pending = try client.mpin.startAuthentication(user)
        #expect(fixture.server.requests.isEmpty && fixture.server.connections == connections)
        try client.mpin.finishAuthentication(pending, pin: secret("4962"))
        #expect(fixture.server.requests == Self.only && fixture.server.connections == connections + 1)
        #expect(fixture.direct.logins.last?.purpose == .login)
    }

    @Test func `a cold cache costs nothing`() throws {
        let (fixture, _, _) = try DirectFixture.warm()
        try FileManager.default.removeItem(atPath: fixture.cachePath)
        let (client, user) = try fixture.nextProcess()
        try client.logIn(user, "4962")
        #expect(fixture.server.requests == Self.only)
        let cached = try fixture.cached()
        #expect(cached["settings"] == nil && cached["settingsDay"] == nil && cached["share"] == nil)
    }

    @Test func `each login has its own x`() throws {
        let (fixture, client, user) = try DirectFixture.warm()
        let pending = try client.mpin.startAuthentication(user)
        for _ in 1...3 { try client.mpin.finishAuthentication(pending, pin: secret("4962")) }
        #expect(Set(fixture.direct.logins.map(\.u)).count == fixture.direct.logins.count)
    }

    @Test func `wrong PINs count and block`() throws {
        let (fixture, client, user) = try DirectFixture.warm()
        for left in [2, 1] {
            let error = try #require(try failure { try client.logIn(user, "4963") })
            #expect(error.code == .incorrectPIN && error.attemptsLeft == left && error.pinChecked == .yes)
        }
        let error = try #require(try failure { try client.logIn(user, "4963") })
        #expect(error.code == .incorrectPIN && user.state == .blocked)
        #expect(try fixture.record().contains("\"BLOCKED\""))
        #expect(try fixture.open().allUsers.first?.keyPlace == .file)
    }

    @Test func `says how many wrong PINs came before`() throws {
        let (fixture, client, user) = try DirectFixture.warm()
        _ = try failure { try client.logIn(user, "4963") }
        try client.logIn(user, "4962")
        #expect(user.wrongSinceLastLogin == 1 && user.attemptsLeft == nil)
    }

    @Test func `stores how many tries a right PIN leaves`() throws {
        let (fixture, client, user) = try DirectFixture.warm()
        for left in [1, nil] {
            fixture.direct.leftAfterRight = left
            try client.logIn(user, "4962")
            #expect(user.attemptsLeft == left)
            #expect(try fixture.open().allUsers.first?.attemptsLeft == left)
        }
    }

    @Test func `a revocation comes with the login, and lasts`() throws {
        let (fixture, client, user) = try DirectFixture.warm()
        fixture.direct.revocation = "laptop lost"
        let pending = try client.mpin.startAuthentication(user)
        #expect(try status { try client.mpin.finishAuthentication(pending, pin: secret("4962")) } == .revoked)
        #expect(user.lastRefusal == .revoked && user.refusalReason == "laptop lost")
        #expect(try fixture.open().allUsers.first?.lastRefusal == .revoked)
        fixture.direct.revocation = nil
        try client.logIn(user, "4962")
        #expect(try fixture.open().allUsers.first?.lastRefusal == nil)
    }

    /// A user whose last login was refused because of a revocation, and a process after that.
    private func revoked(_ fixture: DirectFixture) throws -> (Client, User) {
        let (client, user) = try fixture.warm()
        fixture.direct.revocation = "laptop lost"
        #expect(try status { try client.logIn(user, "4962") } == .revoked)
        fixture.direct.revocation = "laptop sold"
        return try fixture.nextProcess()
    }

    static let asked = ["POST /mpinStatus"]

    @Test func `a remembered revocation is asked about before the PIN`() throws {
        let fixture = try DirectFixture()
        let (client, user) = try revoked(fixture)
        #expect(user.refusalReason == "laptop lost")
        #expect(try status { _ = try client.mpin.startAuthentication(user) } == .revoked)
        #expect(fixture.server.requests == Self.asked)
        // Why it is revoked now, also for the next process.
        #expect(user.refusalReason == "laptop sold")
        #expect(try fixture.open().allUsers.first?.refusalReason == "laptop sold")
        fixture.direct.revocation = nil
        fixture.server.forget()
        let pending = try client.mpin.startAuthentication(user)
        #expect(fixture.server.requests == Self.asked)
        #expect(user.lastRefusal == nil && user.attemptsLeft == 3)
        #expect(try fixture.open().allUsers.first?.lastRefusal == nil)
        try client.mpin.finishAuthentication(pending, pin: secret("4962"))
        #expect(fixture.server.requests == Self.asked + Self.only)
        // From then on nothing is asked.
        fixture.server.forget()
        _ = try client.mpin.startAuthentication(user)
        #expect(fixture.server.requests.isEmpty)
    }

    @Test func `a status request with a wrong time is repeated with the server's`() throws {
        let fixture = try DirectFixture()
        let (client, user) = try revoked(fixture)
        fixture.direct.clock = 600_000
        #expect(try status { _ = try client.mpin.startAuthentication(user) } == .revoked)
        #expect(fixture.requests(of: DirectServer.statusPath) == 2)
        fixture.server.forget()
        #expect(try status { _ = try client.mpin.startAuthentication(user) } == .revoked)
        #expect(fixture.requests(of: DirectServer.statusPath) == 1)
    }

    @Test func `a device that the server does not know any more learns that before the PIN`() throws {
        let fixture = try DirectFixture()
        let (client, user) = try revoked(fixture)
        fixture.direct.forgetKeys()
        let error = try #require(try failure { _ = try client.mpin.startAuthentication(user) })
        #expect(error.code == .clientSecretExpired && error.cause == .unknownDevice && error.pinChecked == .no)
        #expect(user.lastRefusal == .clientSecretExpired)
    }

    @Test func `a status request without an answer judges nothing, and the revocation stays remembered`() throws {
        let fixture = try DirectFixture()
        let (client, user) = try revoked(fixture)
        fixture.answer(DirectServer.statusPath, .hangUp)
        let error = try #require(try failure { _ = try client.mpin.startAuthentication(user) })
        #expect(error.code == .networkError && error.pinChecked == .no)
        #expect(user.lastRefusal == .revoked && !fixture.server.requests.contains("POST /mpinDirect"))
    }

    @Test(arguments: [
        Answer.status(400), .status(405), .status(429), .status(500), .status(502), .status(503),
    ])
    func `a status request that another answer ends leaves the verdict to the login`(answer: Answer) throws {
        let fixture = try DirectFixture()
        let (client, user) = try revoked(fixture)
        fixture.answerSigned(DirectServer.statusPath, answer)
        let pending = try client.mpin.startAuthentication(user)
        #expect(user.lastRefusal == .revoked)
        #expect(try status { try client.mpin.finishAuthentication(pending, pin: secret("4962")) } == .revoked)
        // An owner whom the administrator has let in again gets in, whatever the result of status requests.
        fixture.direct.revocation = nil
        try client.mpin.finishAuthentication(try client.mpin.startAuthentication(user), pin: secret("4962"))
        #expect(user.lastRefusal == nil)
    }

    @Test func `a device that the server does not know learns that, and nothing was judged`() throws {
        let (fixture, client, user) = try DirectFixture.warm()
        fixture.direct.forgetKeys()
        let error = try #require(try failure { try client.logIn(user, "4962") })
        #expect(error.code == .clientSecretExpired && error.cause == .unknownDevice && error.pinChecked == .no)
        #expect(user.state == .registered && user.lastRefusal == .clientSecretExpired)
        // Never the old way, which the server would take now.
        #expect(!fixture.server.requests.contains { $0.contains("pass") || $0.contains("timePermit") })
    }

    static let unjudged = [400, 403, 404, 408, 429]

    @Test(arguments: unjudged + [201, 204, 302, 402, 405, 409, 413, 422, 500, 502, 503, 504])
    func `an attempt may have been judged unless the answer says otherwise, and is never sent again`(
        status: Int
    ) throws {
        let (fixture, client, user) = try DirectFixture.warm()
        fixture.answerSigned(DirectServer.path, .status(status, "{\"message\":\"m\"}"))
        let error = try #require(try failure { try client.logIn(user, "4962") })
        #expect(error.pinChecked == (Self.unjudged.contains(status) ? .no : status == 422 ? .yes : .maybe))
        #expect(error.code != .incorrectPIN && fixture.requests(of: DirectServer.path) == 1)
        if status >= 400 { #expect(error.httpStatus == status && error.cause != .unproven) }
    }

    /// Such as a login for an ssh certificate that the user may not have.
    @Test(arguments: [true, false]) func `a refusal after the right PIN clears the notes, if it is signed`(
        _ isSigned: Bool
    ) throws {
        let (fixture, client, user) = try DirectFixture.warm()
        fixture.answerSigned(DirectServer.path, .status(401, "{\"attemptsLeft\":1}"))
        #expect(try status { try client.logIn(user, "4963") } == .incorrectPIN)
        client.mpin.beginAttempt(at: user)?.end(.wrong(left: 1))
        let answer = Answer.status(422, "{\"message\":\"m\"}")
        if isSigned {
            fixture.answerSigned(DirectServer.path, answer)
        } else {
            fixture.answer(DirectServer.path, answer)
        }
        let attempt = client.mpin.beginAttempt(at: user)
        let error = try #require(
            try failure {
                let pending = try client.mpin.startAuthentication(user)
                try client.mpin.revokeDevice(7, by: pending, pin: secret("4962"))
            })
        #expect(error.cause == (isSigned ? .unmet : .unproven))
        // As the agent does.
        attempt?.end(error.cause == .unmet ? .notCounted : AttemptEnd(error, isBlocked: false))
        let counts = client.mpin.attemptCounts(of: user)
        #expect(counts?.left == (isSigned ? nil : 1) && counts?.unresolved == (isSigned ? 0 : 1))
        #expect(user.attemptsLeft == (isSigned ? nil : 1))
    }

    /// An attacker could have had the first request judged meanwhile.
    @Test func `after a minute, the answer that the time was wrong is no reason to send the PIN again`() throws {
        let (fixture, client, user) = try DirectFixture.warm()
        client.mpin.overallDeadline = Deadline(millisecondsFromNow: 100_000)
        let before = fixture.direct.logins.count
        fixture.direct.clock = 200_000
        fixture.alter(DirectServer.path) { answer in
            // A signal ends sleep(3) early.
            Thread.sleep(forTimeInterval: 61)
            return answer
        }
        let error = try #require(try failure { try client.logIn(user, "4962") })
        #expect(error.code == .networkError && error.pinChecked == .maybe)
        #expect(fixture.direct.logins.count == before + 1)
    }

    @Test func `a missing answer is no success, and may have counted`() throws {
        let (fixture, client, user) = try DirectFixture.warm()
        fixture.answer(DirectServer.path, .hangUp)
        let error = try #require(try failure { try client.logIn(user, "4962") })
        #expect(error.code == .networkError && error.cause == .server && error.pinChecked == .maybe)
        #expect(fixture.requests(of: DirectServer.path) == 1)
        // The next one asks nothing else.
        fixture.answerAsEver()
        let (next, same) = try fixture.nextProcess()
        try next.logIn(same, "4962")
        #expect(fixture.server.requests == Self.only)
    }

    @Test(arguments: [
        "{\"a\":1}", "{\"userId\":null}", "{\"userId\":1}", "{\"userId\":\"Alice@example.org\"}",
        "{\"userId\":\"alice@example.org\",\"userId\":\"bob@example.org\"}", "{\"userId\":\"\"}",
    ])
    func `a signed answer that does not name the identity is no success`(body: String) throws {
        let (fixture, client, user) = try DirectFixture.warm()
        fixture.answerSigned(DirectServer.path, .status(200, body))
        #expect(try status { try client.logIn(user, "4962") } == .responseParseError)
    }

    @Test func `a server that no longer knows device keys gets nothing else`() throws {
        let (fixture, client, user) = try DirectFixture.warm()
        fixture.direct.isOld = true
        let error = try #require(try failure { try client.logIn(user, "4962") })
        #expect(error.cause == .unproven && user.state == .registered && user.lastRefusal == nil)
        #expect(fixture.server.requests == Self.only)
    }

    @Test func `a server that was set up anew is another one`() throws {
        let (fixture, client, user) = try DirectFixture.warm()
        let record = try fixture.record()
        let successor = try DirectServer(ReferenceServer())
        fixture.server.answer { successor.answer($0) }
        let error = try #require(try failure { try client.logIn(user, "4962") })
        #expect(error.code == .networkError && error.cause == .unproven)
        #expect(user.lastRefusal == nil)
        #expect(try fixture.record() == record)
    }
}
