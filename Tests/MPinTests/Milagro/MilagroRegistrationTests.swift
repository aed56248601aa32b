// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinCrypto
import MPinWire
import TestPeers
import Testing

/// Registrations of the protocol of 2016 at a server that has learned of device keys since.
@Suite struct MilagroRegistrationTests {
    /// A registration that was made and used at a server of 2016, which is a new one now.
    private func updated() throws -> (DirectFixture, Client, User) {
        let (fixture, client, user) = try DirectFixture.warm(isOld: true)
        fixture.update()
        return (fixture, client, user)
    }

    /// The settings are cached for the server's day.
    private func nextDay(_ fixture: DirectFixture) throws {
        fixture.reference.day = try #require(PermitDay(fixture.reference.day.number + 1))
    }

    private func requireLoggedInAsIn2016(_ fixture: DirectFixture, sourceLocation: SourceLocation = #_sourceLocation) {
        let requests = fixture.server.requests
        #expect(
            requests.suffix(3) == ["POST /rps/pass1", "POST /rps/pass2", "POST /mpinAuthenticate"],
            sourceLocation: sourceLocation)
        #expect(!requests.contains { $0.contains("/mpinDirect") || $0.contains("/mpinStatus") })
    }

    @Test func `it stays one when the server offers keys, and the cache tells`() throws {
        let (fixture, client, user) = try updated()
        let record = try fixture.record()
        try client.logIn(user, "4962")
        requireLoggedInAsIn2016(fixture)
        #expect(!user.offersDeviceKey)
        try nextDay(fixture)
        fixture.server.forget()
        try client.logIn(user, "4962")
        #expect(fixture.server.requests.contains("GET /rps/clientSettings"))
        requireLoggedInAsIn2016(fixture)
        #expect(user.offersDeviceKey)
        // Neither this login nor a later one gives it a key.
        let (next, same) = try fixture.nextProcess()
        #expect(same.offersDeviceKey && !same.hasDeviceKey)
        try next.logIn(same, "4962")
        requireLoggedInAsIn2016(fixture)
        #expect(!same.hasDeviceKey && fixture.direct.key(of: same.mpinID) == nil)
        #expect(try fixture.record() == record)
        #expect(!fixture.server.received.contains("deviceKey"))
    }

    /// No call of the client makes a key for it.
    @Test func `a change of the PIN and a lifted block give it no key`() throws {
        let (fixture, client, user) = try updated()
        try nextDay(fixture)
        try client.mpin.changePIN(user, from: secret("4962"), to: secret("7385"))
        #expect(!user.hasDeviceKey)
        for _ in 1...3 { _ = try failure { try client.logIn(user, "4963") } }
        #expect(user.state == .blocked)
        try client.mpin.liftBlock(of: user, pin: secret("7385"))
        #expect(!user.hasDeviceKey && !fixture.server.received.contains("deviceKey"))
        #expect(try !fixture.record().contains("deviceKey"))
        let (next, same) = try fixture.nextProcess()
        try next.logIn(same, "7385")
        requireLoggedInAsIn2016(fixture)
    }

    @Test func `an offer of a part is no offer`() throws {
        let (fixture, client, user) = try updated()
        try nextDay(fixture)
        fixture.alterSettings { $0.serverKey = nil }
        try client.logIn(user, "4962")
        #expect(!user.offersDeviceKey)
        let device = try DirectFixture()
        let (_, alice) = try device.warm()
        #expect(!alice.offersDeviceKey)
    }

    @Test(arguments: [true, false]) func `an answer needs no proof, and must not name another identity`(
        isOld: Bool
    ) throws {
        let (fixture, client, user) = try updated()
        fixture.direct.isOld = isOld
        // TLS alone decides: what the answer names beyond the identity does not matter.
        fixture.alter("/mpinAuthenticate") { answer in
            .json(answer.body.dropLast() + Array(",\"serverId\":\"010203\"}".utf8))
        }
        try client.logIn(user, "4962")
        fixture.reference.namedUser = "bob@example.org"
        #expect(try status { try client.logIn(user, "4962") } == .responseParseError)
        fixture.reference.namedUser = nil
        try client.logIn(user, "4962")
    }

    @Test func `what only devices with a key can do is refused`() throws {
        let (fixture, client, user) = try updated()
        let found = HexText(text: Array(user.mpinID.utf8).span)
        let mpinID = try #require(found)
        let key = "AAAAC3NzaC1lZDI1NTE5AAAAIMh0eXKYiT6pQ2kbVlHfZq8Rj9uDwN1oGcSyB3E5xLa7"
        let pending = try client.mpin.startAuthentication(user)
        fixture.server.forget()
        let refused = [
            try status { _ = try client.mpin.devices(by: pending, pin: secret("4962")) },
            try status { try client.mpin.revokeDevice(1, by: pending, pin: secret("4962")) },
            try status { _ = try client.mpin.invite(by: pending, pin: secret("4962")) },
            try status { _ = try client.mpin.makeBackupCodes(count: 8, by: pending, pin: secret("4962")) },
            try status { _ = try client.mpin.signOut(all: true, by: pending, pin: secret("4962")) },
            try status { _ = try client.mpin.sshCertificate(for: key, by: pending, pin: secret("4962")) },
            try status { try client.mpin.revoke(registration: mpinID, by: pending, pin: secret("4962")) },
        ]
        #expect(refused.allSatisfy { $0 == .flowError })
        #expect(fixture.server.requests.isEmpty && user.state == .registered)
        try client.mpin.finishAuthentication(pending, pin: secret("4962"))
    }

    @Test func `one that was begun without a key continues without`() throws {
        let fixture = try DirectFixture(isOld: true)
        fixture.reference.activates = false
        let (client, user) = try fixture.started()
        fixture.update()
        try client.mpin.setBackend(fixture.server.url)
        try client.mpin.restartRegistration(user)
        fixture.reference.activates = true
        try client.mpin.restartRegistration(user, activateCode: "123456")
        try client.finish(user)
        #expect(!user.hasDeviceKey && !fixture.server.received.contains("deviceKey"))
        try client.logIn(user, "4962")
        requireLoggedInAsIn2016(fixture)
    }

    @Test(arguments: [ProvenEnrollmentTests.code, "7k3m9qxt2hvb8rwd"], [true, false])
    func `an enrollment code does not continue one, and is not sent`(code: String, isOld: Bool) throws {
        let fixture = try DirectFixture(isOld: true)
        fixture.reference.activates = false
        try fixture.direct.know(ProvenEnrollmentTests.code)
        let (client, user) = try fixture.started()
        fixture.direct.isOld = isOld
        let record = try fixture.record()
        try client.mpin.setBackend(fixture.server.url)
        fixture.server.forget()
        let error = try #require(try failure { try client.mpin.restartRegistration(user, invitation: code) })
        #expect(error.code == .flowError && error.cause == .startedWithoutKey)
        // Another process does not even ask for the settings.
        let (next, same) = try fixture.nextProcess()
        #expect(
            try failure { try next.mpin.restartRegistration(same, invitation: code) }?.cause == .startedWithoutKey)
        #expect(fixture.server.requests.isEmpty)
        #expect(try fixture.record() == record)
        // Instead, a new registration takes the code, at a server with keys.
        try client.mpin.deleteUser(user)
        let again = client.mpin.makeUser("alice@example.org")
        let ended = try failure { try client.mpin.startRegistration(again, invitation: code) }
        #expect(isOld ? ended?.cause == .noServerProof : ended == nil && again.serverKeySource == .invitation)
    }
}
