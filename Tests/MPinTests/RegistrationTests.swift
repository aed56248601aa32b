// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import TestPeers
import Testing

@Suite struct RegistrationTests {
    @Test func `goes from invalid to registered`() throws {
        let fixture = try Fixture()
        let client = try fixture.client()
        let user = client.mpin.makeUser("alice@example.org", deviceName: "laptop")
        #expect(user.state == .invalid)
        try client.mpin.startRegistration(user)
        #expect(user.state == .activated)
        try client.mpin.confirmRegistration(user)
        #expect(user.state == .activated)
        try client.mpin.finishRegistration(user, pin: try secret("4962"))
        #expect(user.state == .registered)
        #expect(
            fixture.server.requests == [
                "GET /rps/clientSettings", "PUT /rps/user", "GET /rps/signature/\(user.mpinID)",
                "GET /dta/clientSecret",
            ])
        #expect(fixture.server.connections == 1)
        try client.logIn(user, "4962")
    }

    @Test func `waits for verification and keeps the registration across restarts`() throws {
        let fixture = try Fixture()
        fixture.reference.activates = false
        let first = Client(try fixture.open())
        try first.mpin.setBackend(fixture.server.url)
        try first.mpin.startRegistration(first.mpin.makeUser("alice@example.org"))

        let client = try fixture.client()
        let user = try client.first()
        #expect(user.state == .startedRegistration)
        #expect(try status { try client.mpin.confirmRegistration(user) } == .identityNotVerified)
        #expect(try status { try client.mpin.finishRegistration(user, pin: secret("4962")) } == .flowError)
        fixture.reference.activates = true
        let before = user.mpinID
        try client.mpin.restartRegistration(user)
        #expect(user.mpinID == before)
        #expect(user.state == .activated)
        try client.finish(user)
        try client.logIn(user, "4962")
    }

    @Test func `keeps the first share while the second authority is away`() throws {
        let fixture = try Fixture()
        fixture.answer("/dta/clientSecret", .status(502))
        let (client, user) = try fixture.started()
        #expect(try status { try client.mpin.confirmRegistration(user) } == .httpServerError)
        #expect(try status { try client.mpin.finishRegistration(user, pin: secret("4962")) } == .flowError)
        fixture.answerAsEver()
        fixture.server.forget()
        try client.mpin.confirmRegistration(user)
        #expect(fixture.server.requests == ["GET /dta/clientSecret"])
        try client.mpin.finishRegistration(user, pin: secret("4962"))
        try client.logIn(user, "4962")
    }

    @Test func `refuses an ID for another user`() throws {
        let fixture = try Fixture()
        let reference = fixture.reference
        let client = try fixture.client()
        fixture.server.answer { exchange in
            guard exchange.method == "PUT" else { return reference.answer(exchange) }
            let body = String(decoding: exchange.body, as: UTF8.self).replacingOccurrences(of: "alice", with: "mallory")
            return reference.answer(
                Exchange(method: "PUT", path: exchange.path, query: "", body: Array(body.utf8)))
        }
        let user = client.mpin.makeUser("alice@example.org")
        #expect(try status { try client.mpin.startRegistration(user) } == .responseParseError)
        #expect(user.state == .invalid)
        #expect(!FileManager.default.fileExists(atPath: fixture.recordPath))
    }

    /// Digits of another script are digits to Unicode.
    static let unusable = [
        "", "1", "123", "1234567", "0000", "00000", "000000", "12a4", "4962 ", "correct horse",
        "\u{664}\u{669}\u{666}\u{662}",
    ]

    @Test(arguments: unusable) func `an impossible PIN changes nothing`(pin: String) throws {
        let (fixture, client, user) = try Fixture.started()
        try client.mpin.confirmRegistration(user)
        let record = try fixture.record()
        fixture.server.forget()
        #expect(try status { try client.mpin.finishRegistration(user, pin: secret(pin)) } == .pinInputCanceled)
        #expect(user.state == .activated && user.pinLength == nil)
        #expect(try fixture.record() == record && fixture.server.requests.isEmpty)
        try client.mpin.finishRegistration(user, pin: secret("4962"))
        #expect(user.state == .registered)
    }

    @Test(arguments: [false, true]) func `a restart with both shares at hand sends nothing`(isVerified: Bool) throws {
        let fixture = try Fixture()
        fixture.reference.activates = isVerified
        let (client, user) = try fixture.started()
        fixture.reference.isVerified = true
        try client.mpin.confirmRegistration(user)
        let (before, record) = (user.mpinID, try fixture.record())
        fixture.server.forget()
        #expect(try status { try client.mpin.restartRegistration(user) } == .flowError)
        #expect(fixture.server.requests.isEmpty && user.mpinID == before)
        #expect(try fixture.record() == record)
        try client.mpin.finishRegistration(user, pin: secret("4962"))
        try client.logIn(user, "4962")
    }

    @Test func `a restart with one share at hand begins again`() throws {
        let fixture = try Fixture()
        let reference = fixture.reference
        (reference.activates, reference.isVerified) = (false, true)
        fixture.answer("/dta/clientSecret", .status(502))
        let (client, user) = try fixture.started()
        #expect(try status { try client.mpin.confirmRegistration(user) } == .httpServerError)
        #expect(user.holdsFirstShare)
        fixture.answerAsEver()
        try client.mpin.restartRegistration(user)
        #expect(!user.holdsFirstShare)
        try client.finish(user)
        try client.logIn(user, "4962")
    }
}
