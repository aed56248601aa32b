// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinCrypto
import MPinWire
import TestPeers
import Testing

@Suite struct LoginTests {
    @Test func `asks for as little as possible`() throws {
        let (fixture, client, user) = try Fixture.enrolled()
        try client.logIn(user, "4962")
        #expect(
            fixture.server.requests == [
                "GET /rps/timePermit/\(user.mpinID)",
                "GET /nothing-here/de033c7143c9737bc15fc2574cfc06b0/20700/\(try storageID(user))",
                "GET /dta/timePermit", "POST /rps/pass1", "POST /rps/pass2", "POST /mpinAuthenticate",
            ])

        // The next process finds settings and the second permit share where this one left them.
        let next = Client(try fixture.open())
        try next.mpin.selectBackend(fixture.server.url)
        fixture.server.forget()
        let connections = fixture.server.connections
        try next.logIn(try next.first(), "4962")
        #expect(
            fixture.server.requests == [
                "GET /rps/timePermit/\(user.mpinID)", "POST /rps/pass1", "POST /rps/pass2", "POST /mpinAuthenticate",
            ])
        #expect(fixture.server.connections == connections + 1)
    }

    private func storageID(_ user: User) throws -> String {
        let hash = try Hash.sha256(Hex.decode(Array(user.mpinID.utf8).span) ?? [])
        return String(decoding: Hex.encode(hash.span), as: UTF8.self)
    }

    @Test func `fetches permits of a new day`() throws {
        let (fixture, client, user) = try Fixture.enrolled()
        try client.logIn(user, "4962")
        fixture.reference.day = try #require(PermitDay(20_701))
        fixture.server.forget()
        try client.logIn(user, "4962")
        #expect(fixture.server.requests.contains("GET /rps/clientSettings"))
        #expect(fixture.server.requests.contains("GET /dta/timePermit"))
    }

    @Test func `takes the second share from the permit store`() throws {
        let fixture = try Fixture()
        fixture.reference.storage = "/storage"
        let (client, user) = try fixture.enrolled()
        try client.logIn(user, "4962")
        #expect(fixture.server.requests.contains { $0.hasPrefix("GET /storage/") })
        #expect(!fixture.server.requests.contains("GET /dta/timePermit"))
    }

    @Test func `wrong PINs block and keep the token`() throws {
        let (fixture, client, user) = try Fixture.enrolled()
        for _ in 1...2 {
            let error = try failure { try client.logIn(user, "4963") }
            #expect(error?.code == .incorrectPIN)
            #expect(error?.pinChecked == .yes)
            #expect(user.state == .registered)
        }
        #expect(try status { try client.logIn(user, "4963") } == .incorrectPIN)
        #expect(user.state == .blocked)
        #expect(try fixture.record().contains("\"BLOCKED\""))
        #expect(try fixture.record().contains("\"token\""))
        fixture.server.forget()
        #expect(try status { try client.logIn(user, "4962") } == .flowError)
        #expect(fixture.server.requests.isEmpty)
        let other = Client(try fixture.open())
        #expect(other.mpin.allUsers.first?.state == .blocked)
    }

    @Test(arguments: ["", "49620", "496", "496a", "4962 ", "\u{664}962"]) func `a PIN of another shape sends nothing`(
        pin: String
    )
        throws
    {
        let (fixture, client, user) = try Fixture.enrolled()
        let pending = try client.mpin.startAuthentication(user)
        fixture.server.forget()
        let error = try failure { _ = try client.mpin.finishAuthentication(pending, pin: secret(pin)) }
        #expect(error?.code == (pin.isEmpty ? .pinInputCanceled : .incorrectPIN))
        #expect(error?.pinChecked == .no)
        #expect(fixture.server.requests.isEmpty)
    }

    @Test(arguments: RegistrationTests.unusable)
    func `an impossible new PIN is refused before anything is sent`(pin: String) throws {
        let (fixture, client, user) = try Fixture.enrolled()
        let record = try fixture.record()
        let code = try status { try client.mpin.changePIN(user, from: secret("4962"), to: secret(pin)) }
        #expect(code == .pinInputCanceled)
        #expect(try fixture.server.requests.isEmpty && fixture.record() == record)
        try client.logIn(user, "4962")
    }

    @Test func `a longer secret that was set earlier logs in, and can be changed to a PIN`() throws {
        let (fixture, _, user) = try Fixture.enrolled()
        let record = try fixture.record()
        let token = try #require(record.firstMatch(of: /"token":"([0-9a-f]+)"/)).output.1
        func decoded(_ text: some StringProtocol) -> [UInt8]? { Hex.decode(Array(text.utf8).span) }
        let mpinID = try #require(decoded(user.mpinID))
        let bytes = try #require(decoded(token))
        func bytesOf(_ text: [UInt8]) throws -> SecretBytes {
            var bytes = try SecretBytes(capacity: text.count)
            bytes.withMutableBytes(count: text.count) { target in
                for index in text.indices { target[index] = text[index] }
            }
            return bytes
        }
        let longer = try ClientToken.changeFactor(
            identity: Identity(mpinID: mpinID), token: bytesOf(bytes),
            from: PINFactor(pin: bytesOf(Array("4962".utf8)), scheme: .decimal),
            to: PINFactor(pin: bytesOf(Array("correct horse".utf8)), scheme: .hashed))
        let digits = longer.withBytes { String(decoding: Hex.encode($0), as: UTF8.self) }
        try fixture.changeRecord { user in
            (user["token"], user["pinScheme"], user["pinLength"]) = (digits, "hashed", nil)
        }
        let client = try fixture.client()
        let same = try client.first()
        try client.logIn(same, "correct horse")
        try client.mpin.changePIN(same, from: secret("correct horse"), to: secret("7385"))
        #expect(same.pinLength == 4)
        try client.logIn(same, "7385")
    }

    @Test(arguments: [401, 403, 410]) func `a refused permit is revoked`(status code: Int) throws {
        let fixture = try Fixture()
        let (client, user) = try fixture.enrolled()
        fixture.answer("/rps/timePermit", .status(code))
        #expect(try status { try client.logIn(user, "4962") } == .revoked)
        #expect(user.lastRefusal == .revoked)
        #expect(try fixture.open().allUsers.first?.lastRefusal == .revoked)
        fixture.answerAsEver()
        try client.logIn(user, "4962")
        #expect(try fixture.open().allUsers.first?.lastRefusal == nil)
    }

    @Test func `a five hundred at pass two is tried once more from pass one`() throws {
        let (fixture, client, user) = try Fixture.enrolled()
        let reference = fixture.reference
        let failing = Countdown(1)
        fixture.server.answer { $0.path == "/rps/pass2" && failing.tick() ? .status(500) : reference.answer($0) }
        try client.logIn(user, "4962")
        #expect(fixture.requests(of: "POST /rps/pass1") == 2)

        fixture.answer("/rps/pass2", .status(500))
        fixture.server.forget()
        #expect(try status { try client.logIn(user, "4962") } == .httpServerError)
        #expect(fixture.requests(of: "POST /rps/pass2") == 2)
        fixture.answer("/rps/pass2", .status(503))
        #expect(try failure { try client.logIn(user, "4962") }?.pinChecked == .maybe)
    }

    @Test func `changes the PIN only after a login`() throws {
        let (fixture, client, user) = try Fixture.enrolled()
        let before = try fixture.record()
        #expect(
            try status { try client.mpin.changePIN(user, from: secret("4963"), to: secret("7385")) } == .incorrectPIN)
        #expect(try fixture.record() == before)

        // The login with the new PIN fails: the old one stays.
        let reference = fixture.reference
        let logins = Countdown(1)
        fixture.server.answer { exchange in
            guard exchange.path == "/mpinAuthenticate" else { return reference.answer(exchange) }
            return logins.tick() ? reference.answer(exchange) : .status(503)
        }
        #expect(
            try status { try client.mpin.changePIN(user, from: secret("4962"), to: secret("7385")) } == .httpServerError
        )
        #expect(try fixture.record() == before)

        fixture.answerAsEver()
        try client.mpin.changePIN(user, from: secret("4962"), to: secret("73851"))
        try client.logIn(user, "73851")
        #expect(user.pinLength == 5)
        #expect(try status { try client.logIn(user, "4962") } == .incorrectPIN)
        #expect(!FileManager.default.fileExists(atPath: fixture.store + "/staging/alice.json"))
    }

    @Test func `parallel logins of one account wait for each other`() throws {
        let (fixture, _, _) = try Fixture.enrolled()
        let results = Countdown(0)
        DispatchQueue.concurrentPerform(iterations: 12) { _ in
            do {
                let client = Client(try fixture.open(timeout: 20_000))
                try client.mpin.selectBackend(fixture.server.url)
                guard let user = client.mpin.users.first else { return }
                try client.logIn(user, "4962")
                results.count()
            } catch {}
        }
        // The reference server knows one open pass 1 for each identity: overlapping logins would fail there.
        #expect(results.value == 12)
    }
}

/// A number that several threads may change.
final class Countdown: @unchecked Sendable {
    private let lock = NSLock()
    private var left: Int

    init(_ count: Int) { left = count }

    /// Counts down; whether there was something left.
    func tick() -> Bool {
        lock.withLock {
            left -= 1
            return left >= 0
        }
    }

    func count() { lock.withLock { left += 1 } }

    var value: Int { lock.withLock { left } }
}
