// SPDX-License-Identifier: Apache-2.0
import MPin
import TestPeers
import Testing

/// New registrations that are to replace one with a pin.
@Suite struct PinnedRecoveryTests {
    @Test func `a recovery needs the same key, and keeps its source`() throws {
        let fixture = try DirectFixture(proves: true)
        try fixture.direct.know(ProvenEnrollmentTests.code)
        let (first, old) = try fixture.client()
        try first.mpin.startRegistration(old, activateCode: ProvenEnrollmentTests.code)
        try first.finish(old)
        try first.logIn(old, "4962")

        let attacker = try ServerSigner()
        fixture.attack(attacker)
        var (client, user) = try fixture.client(.staging)
        #expect(try failure { try client.mpin.startRegistration(user) }?.cause == .otherServerKey)
        #expect(
            try failure { try client.mpin.startRegistration(user, serverKey: attacker.fingerprint) }?.cause
                == .otherServerKey)
        fixture.direct.offersProof = false
        fixture.answerAsEver()
        (client, user) = try fixture.client(.staging)
        #expect(try failure { try client.mpin.startRegistration(user) }?.cause == .noServerProof)
        #expect(user.state == .invalid)

        fixture.direct.offersProof = true
        (client, user) = try fixture.client(.staging)
        try client.mpin.startRegistration(user)
        try client.finish(user, "7385")
        try client.mpin.recover(user, pin: secret("7385"))
        let (next, same) = try fixture.nextProcess()
        #expect(same.serverKeySource == .invitation && same.mpinID == user.mpinID)
        #expect(next.mpin.users.count == 1)
        try next.logIn(same, "7385")
    }

    @Test func `a code at a recovery proves the key anew`() throws {
        let fixture = try DirectFixture(proves: true)
        try fixture.direct.know(ProvenEnrollmentTests.code)
        _ = try fixture.warm()
        let (client, user) = try fixture.client(.staging)
        try client.mpin.startRegistration(user, activateCode: ProvenEnrollmentTests.code)
        try client.finish(user, "7385")
        try client.mpin.recover(user, pin: secret("7385"))
        #expect(try fixture.nextProcess().1.serverKeySource == .invitation)
    }

    @Test func `what an older program has staged does not replace a pin`() throws {
        let fixture = try DirectFixture()
        let (client, user) = try fixture.client(.staging)
        try client.mpin.startRegistration(user)
        try client.finish(user, "7385")
        #expect(!user.isPinned)
        fixture.direct.offersProof = true
        let (first, old) = try fixture.client()
        try first.mpin.startRegistration(old)
        try first.finish(old)
        #expect(old.isPinned)
        let record = try fixture.fixture.record()
        #expect(try failure { try client.mpin.recover(user, pin: secret("7385")) }?.cause == .otherServerKey)
        #expect(try fixture.fixture.record() == record)
    }
}
