// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinWire
import TestPeers
import Testing

/// New registrations that are to replace one with a device key, or one of 2016 with one with a key.
@Suite struct DeviceRecoveryTests {
    /// A finished registration in the staging area.
    private func staged(_ fixture: DirectFixture, code: String? = nil) throws -> (Client, User) {
        let (client, user) = try fixture.newUser(.staging)
        try client.mpin.startRegistration(user, MPinTests.code(code))
        try client.finish(user, "7385")
        return (client, user)
    }

    @Test func `a recovery needs the same key, and keeps its source`() throws {
        let fixture = try DirectFixture()
        try fixture.direct.know(ProvenEnrollmentTests.code)
        let (first, old) = try fixture.newUser()
        try first.mpin.startRegistration(old, invitation: ProvenEnrollmentTests.code)
        try first.finish(old)
        try first.logIn(old, "4962")

        let attacker = try ServerSigner()
        fixture.attack(attacker)
        var (client, user) = try fixture.newUser(.staging)
        #expect(try failure { try client.mpin.startRegistration(user) }?.cause == .otherServerKey)
        #expect(
            try failure { try client.mpin.startRegistration(user, serverKey: attacker.fingerprint) }?.cause
                == .otherServerKey)
        #expect(user.state == .invalid)

        fixture.answerAsEver()
        (client, user) = try staged(fixture)
        try client.mpin.recover(user, pin: secret("7385"))
        let (next, same) = try fixture.nextProcess()
        #expect(same.serverKeySource == .invitation && same.mpinID == user.mpinID)
        #expect(next.mpin.users.count == 1)
        try next.logIn(same, "7385")
    }

    @Test func `a code at a recovery proves the key anew`() throws {
        let fixture = try DirectFixture()
        try fixture.direct.know(ProvenEnrollmentTests.code)
        _ = try fixture.warm()
        let (client, user) = try staged(fixture, code: ProvenEnrollmentTests.code)
        try client.mpin.recover(user, pin: secret("7385"))
        #expect(try fixture.nextProcess().1.serverKeySource == .invitation)
    }

    @Test func `a registration with a key does not become one of 2016`() throws {
        let (fixture, _, _) = try DirectFixture.warm()
        let record = try fixture.record()
        fixture.direct.isOld = true
        for code in [nil, "123456", ProvenEnrollmentTests.code] {
            let (client, user) = try fixture.newUser(.staging)
            fixture.server.forget()
            let error = try failure { try client.mpin.startRegistration(user, MPinTests.code(code)) }
            #expect(error?.code == .networkError && error?.cause == .noServerProof)
            #expect(user.state == .invalid)
            #expect(fixture.server.requests.allSatisfy { $0 == "GET /rps/clientSettings" })
        }
        #expect(try fixture.record() == record)
        // Settings of one part only are forged or damaged, here as anywhere.
        fixture.update()
        fixture.alterSettings { $0.extensions.removeAll { $0 == .proof } }
        let (client, user) = try fixture.newUser(.staging)
        #expect(try failure { try client.mpin.startRegistration(user) }?.cause == .noServerProof)
    }

    /// The registration in use was made after the one in the staging area.
    @Test func `a staged registration of 2016 does not replace one with a key`() throws {
        let fixture = try DirectFixture(isOld: true)
        let (client, user) = try staged(fixture)
        #expect(!user.hasDeviceKey)
        fixture.update()
        let (first, old) = try fixture.newUser()
        try first.register(old)
        #expect(old.hasDeviceKey)
        let record = try fixture.record()
        let error = try failure { try client.mpin.recover(user, pin: secret("7385")) }
        #expect(error?.code == .networkError && error?.cause == .otherServerKey)
        #expect(try fixture.record() == record)
        // Both are as before: neither is lost.
        try first.logIn(old, "4962")
        #expect(try fixture.open(.staging).allUsers.map(\.mpinID) == [user.mpinID])
    }

    @Test(arguments: [true, false]) func `a registration of 2016 becomes one with a key`(withCode: Bool) throws {
        let fixture = try DirectFixture(isOld: true)
        try fixture.direct.know(ProvenEnrollmentTests.code)
        let (_, old) = try fixture.warm()
        fixture.update()
        let (client, user) = try staged(fixture, code: withCode ? ProvenEnrollmentTests.code : nil)
        // The one in use is unchanged until the new one has logged in.
        #expect(try fixture.open().allUsers.map(\.hasDeviceKey) == [false])
        #expect(try failure { try client.mpin.recover(user, pin: secret("7386")) }?.code == .incorrectPIN)
        #expect(try fixture.open().allUsers.map(\.mpinID) == [old.mpinID])
        #expect(try client.mpin.recover(user, pin: secret("7385")))
        #expect(fixture.direct.logins.last?.purpose.argument.string == old.mpinID.lowercased())
        let (next, same) = try fixture.nextProcess()
        #expect(next.mpin.allUsers.count == 1 && same.mpinID == user.mpinID)
        #expect(same.hasDeviceKey && same.serverKeySource == (withCode ? .invitation : .tls))
        #expect(same.notes.replaced.isEmpty)
        try next.logIn(same, "7385")
        #expect(fixture.server.requests == DirectLoginTests.only)
        #expect(try fixture.open(.staging).allUsers.isEmpty)
    }

    /// Whether the server revokes the replaced registration at once, later, or does not know it.
    @Test func `a replaced registration is kept until the server has answered for it`() throws {
        let fixture = try DirectFixture()
        let (_, old) = try fixture.warm()
        let (client, user) = try staged(fixture)
        let direct = fixture.direct
        fixture.server.answer { exchange in
            guard let request = try? DirectLoginRequest.decode(exchange.body.span), request.purpose.word == "revoke"
            else { return direct.answer(exchange) }
            return .hangUp
        }
        #expect(try !client.mpin.recover(user, pin: secret("7385")))
        #expect(user.notes.replaced.map(\.mpinID.string) == [old.mpinID])
        fixture.answerAsEver()
        let (next, same) = try fixture.nextProcess()
        #expect(same.notes.replaced.map(\.mpinID.string) == [old.mpinID])
        let result = next.mpin.revokeReplaced(by: same, pin: try secret("7385"))
        #expect(result.left == 0 && result.revoked.map(\.string) == [old.mpinID])
        #expect(try fixture.open().allUsers.first?.notes.replaced.isEmpty == true)
    }

    @Test func `a replaced registration that the server does not know is not kept`() throws {
        let (fixture, _, _) = try DirectFixture.warm()
        let (client, user) = try staged(fixture)
        let direct = fixture.direct
        fixture.server.answer { exchange in
            guard let request = try? DirectLoginRequest.decode(exchange.body.span), request.purpose.word == "revoke",
                let (kind, statement) = try? direct.statement(of: exchange)
            else { return direct.answer(exchange) }
            return direct.signer.prove(.status(422), kind, statement)
        }
        #expect(try !client.mpin.recover(user, pin: secret("7385")))
        #expect(user.notes.replaced.isEmpty)
        #expect(try fixture.open().allUsers.first?.notes.replaced.isEmpty == true)
    }
}
