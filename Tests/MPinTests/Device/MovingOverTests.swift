// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinWire
import TestPeers
import Testing

/// Registrations of the old kind at a server that has learned of keys since.
@Suite struct MovingOverTests {
    /// A registration that was made and used at an old server, which is a new one now.
    private func moved() throws -> (DirectFixture, Client, User) {
        let fixture = try DirectFixture(isOld: true)
        let (client, user) = try fixture.fixture.enrolled()
        try client.logIn(user, "4962")
        fixture.update()
        try FileManager.default.removeItem(atPath: fixture.fixture.cachePath)
        let (next, same) = try fixture.nextProcess()
        return (fixture, next, same)
    }

    @Test func `the next login brings the key, and the one after is direct`() throws {
        let (fixture, client, user) = try moved()
        #expect(user.keyPlace == .none)
        // The key is in the record before anything of the proof is sent.
        let path = fixture.fixture.recordPath
        let direct = fixture.direct
        fixture.server.answer { exchange in
            if exchange.path == "/rps/pass1" {
                let record = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
                guard record.contains("\"keyPending\":true") else { return .status(500) }
            }
            return direct.answer(exchange)
        }
        try client.logIn(user, "4962")
        #expect(user.keyPlace == .file)
        #expect(fixture.direct.key(of: user.mpinID) != nil)
        let record = try fixture.fixture.record()
        #expect(record.contains("\"version\":2") && !record.contains("keyPending"))
        let (next, same) = try fixture.nextProcess()
        #expect(same.keyPlace == .file)
        try next.logIn(same, "4962")
        #expect(fixture.server.requests == DirectLoginTests.only)
    }

    @Test func `a wrong PIN binds nothing, and the pending key is tried signed first`() throws {
        let (fixture, client, user) = try moved()
        #expect(try status { try client.logIn(user, "4963") } == .incorrectPIN)
        #expect(user.keyPlace == .pending && fixture.direct.key(of: user.mpinID) == nil)
        let pending = try fixture.fixture.record()
        let (next, same) = try fixture.nextProcess()
        try next.logIn(same, "4962")
        #expect(fixture.server.requests.first == "POST /mpinDirect")
        #expect(fixture.server.requests.last == "POST /mpinAuthenticate")
        #expect(same.keyPlace == .file)
        let key = try #require(fixture.direct.key(of: user.mpinID))
        #expect(pending.contains(key.string))
    }

    @Test(arguments: [404, 429]) func `both answers to an unknown device lead the old way`(status: Int) throws {
        let (fixture, client, user) = try moved()
        _ = try failure { try client.logIn(user, "4963") }
        fixture.answer(DirectServer.path, .status(status, "{}"))
        try client.logIn(user, "4962")
        #expect(user.keyPlace == .file)
    }

    @Test(arguments: [400, 403, 408, 409, 410, 500, 503])
    func `no other answer leads the old way`(status: Int) throws {
        let (fixture, client, user) = try moved()
        _ = try failure { try client.logIn(user, "4963") }
        fixture.answer(DirectServer.path, .status(status, "{}"))
        fixture.server.forget()
        #expect(try failure { try client.logIn(user, "4962") } != nil)
        #expect(!fixture.server.requests.contains { $0.contains("pass") })
    }

    /// The server has the key, and this machine was cut off before it could note so.
    @Test func `a key that was bound unheard is found to be so`() throws {
        let (fixture, client, user) = try moved()
        let direct = fixture.direct
        fixture.server.answer { exchange in
            let answer = direct.answer(exchange)
            return exchange.path == "/mpinAuthenticate" ? .hangUp : answer
        }
        #expect(try status { try client.logIn(user, "4962") } == .networkError)
        #expect(try fixture.fixture.open().allUsers.first?.keyPlace == .pending)
        fixture.answerAsEver()
        let (next, same) = try fixture.nextProcess()
        try next.logIn(same, "4962")
        #expect(fixture.requests(of: "pass1") == 0 && same.keyPlace == .file)
        #expect(try !fixture.fixture.record().contains("keyPending"))
    }

    @Test func `another device's key in this moment refuses the login`() throws {
        let (fixture, client, user) = try moved()
        fixture.direct.bindingStatus = 409
        let error = try #require(try failure { try client.logIn(user, "4962") })
        #expect(error.code == .clientSecretExpired && error.cause == .otherDevice)
        #expect(fixture.requests(of: "pass2") == 1 && user.keyPlace == .pending)
    }

    @Test func `a record that cannot be changed logs in the old way, and gets no key`() throws {
        let (fixture, client, user) = try moved()
        let before = try fixture.fixture.record()
        let lock = fixture.fixture.store + "/users/alice.lock"
        let file = open(lock, O_RDWR)
        #expect(file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0)
        defer { close(file) }
        let pending = try client.mpin.startAuthentication(user)
        try client.mpin.finishAuthentication(pending, pin: secret("4962"))
        #expect(user.keyPlace == .none && fixture.direct.key(of: user.mpinID) == nil)
        #expect(try fixture.fixture.record() == before)
    }

    @Test func `an update of a server is found out at the next login`() throws {
        let fixture = try DirectFixture(isOld: true)
        let (client, user) = try fixture.fixture.enrolled()
        try client.logIn(user, "4962")
        fixture.update()
        // Another login of the day has left its settings.
        let (next, same) = try fixture.nextProcess()
        try next.logIn(same, "4962")
        #expect(same.keyPlace == .file && fixture.requests(of: "clientSettings") == 1)
        let (last, again) = try fixture.nextProcess()
        try last.logIn(again, "4962")
        #expect(fixture.server.requests == DirectLoginTests.only)
    }

    @Test func `processes that move over at once give the server one key`() throws {
        let (fixture, _, user) = try moved()
        let done = Countdown(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            do {
                let client = Client(try fixture.fixture.open(timeout: 20_000))
                try client.mpin.selectBackend(fixture.server.url)
                guard let user = client.mpin.users.first else { return }
                do { try client.logIn(user, "4962") } catch let error as MPinError
                    where error.code == .identityNotAuthorized
                {
                    // The peer has been given the key between this login's permit and its pass 1.
                    try client.logIn(user, "4962")
                }
                done.count()
            } catch {}
        }
        let key = try #require(fixture.direct.key(of: user.mpinID))
        #expect(try fixture.fixture.record().contains(key.string))
        #expect(done.value > 0)
        let (next, same) = try fixture.nextProcess()
        try next.logIn(same, "4962")
        #expect(fixture.server.requests == DirectLoginTests.only)
    }

    @Test func `other final calls bring no key`() throws {
        let (fixture, client, user) = try moved()
        let pending = try client.mpin.startAuthentication(user)
        _ = try client.mpin.finishAuthenticationOTP(pending, pin: secret("4962"))
        #expect(user.keyPlace == .none && fixture.direct.key(of: user.mpinID) == nil)
    }

    @Test func `a server without keys leaves a pending one alone`() throws {
        let (fixture, client, user) = try moved()
        _ = try failure { try client.logIn(user, "4963") }
        #expect(user.keyPlace == .pending)
        (fixture.direct.offersKeys, fixture.direct.offersDirect) = (false, false)
        try FileManager.default.removeItem(atPath: fixture.fixture.cachePath)
        let (next, same) = try fixture.nextProcess()
        try next.logIn(same, "4962")
        #expect(same.keyPlace == .pending && fixture.requests(of: DirectServer.path) == 0)
    }
}
