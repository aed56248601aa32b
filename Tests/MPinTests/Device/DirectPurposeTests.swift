// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinWire
import TestPeers
import Testing

/// Direct logins for other purposes than the device itself.
@Suite struct DirectPurposeTests {
    private let fixture: DirectFixture
    private let client: Client
    private let user: User

    init() throws { (fixture, client, user) = try DirectFixture.warm() }

    @Test func `a one-time password comes with the one answer`() throws {
        let otp = try client.oneTimePassword(user, "4962")
        #expect(otp.status == .ok && otp.otp == "035219" && otp.ttlSeconds == 60)
        #expect(fixture.server.requests == DirectLoginTests.only)
        #expect(fixture.direct.logins.last?.purpose == .oneTimePassword)
    }

    @Test func `an access number is signed along`() throws {
        try client.logIn(user, "4962", accessNumber: "4241703")
        #expect(fixture.direct.logins.last?.purpose == .session("4241703", details: nil))
        #expect(try status { try client.logIn(user, "4962", accessNumber: "1111111") } == .incorrectAccessNumber)
        #expect(fixture.server.requests == DirectLoginTests.only + DirectLoginTests.only)
    }

    @Test func `revoking names the registration`() throws {
        let found = HexText(text: Array(user.mpinID.uppercased().utf8).span)
        let mpinID = try #require(found)
        let pending = try client.mpin.startAuthentication(user)
        try client.mpin.revoke(registration: mpinID, by: pending, pin: secret("4962"))
        #expect(fixture.direct.logins.last?.purpose.argument.string == user.mpinID.lowercased())
        #expect(fixture.server.requests == DirectLoginTests.only)
    }

    @Test func `the owner's request is part of the signature`() throws {
        let pending = try client.mpin.startAuthentication(user)
        try client.mpin.revokeDevice(7, by: pending, pin: secret("4962"))
        // The peer's answers lack the requested data; only the requests matter.
        _ = try status { _ = try client.mpin.devices(by: pending, pin: secret("4962")) }
        _ = try status { _ = try client.mpin.invite(seconds: 60, by: pending, pin: secret("4962")) }
        _ = try status { _ = try client.mpin.makeBackupCodes(count: 8, by: pending, pin: secret("4962")) }
        _ = try status { _ = try client.mpin.signOut(all: true, by: pending, pin: secret("4962")) }
        let expected: [OwnerAction] = [
            .revokeDevice(7), .devices, .invite(seconds: 60), .makeBackupCodes(8), .signOut(all: true),
        ]
        #expect(fixture.direct.logins.suffix(5).map(\.purpose) == expected.map { .owner($0) })
        #expect(fixture.server.requests.count == 5)
    }

    @Test func `an argument that is out of range is refused before anything is sent`() throws {
        let pending = try client.mpin.startAuthentication(user)
        var errors: [MPinError?] = []
        for number in [0, -1, .min] {
            errors.append(try failure { try client.mpin.revokeDevice(number, by: pending, pin: secret("4962")) })
        }
        for seconds in [59, 3601, 0, -60] {
            errors.append(
                try failure { _ = try client.mpin.invite(seconds: seconds, by: pending, pin: secret("4962")) })
        }
        for count in [0, 21, -8] {
            errors.append(
                try failure { _ = try client.mpin.makeBackupCodes(count: count, by: pending, pin: secret("4962")) })
        }
        #expect(errors.allSatisfy { $0?.code == .flowError && $0?.pinChecked == .no })
        #expect(fixture.server.requests.isEmpty)
        // The limits are allowed.
        for seconds in [60, 3600, nil] {
            _ = try status { _ = try client.mpin.invite(seconds: seconds, by: pending, pin: secret("4962")) }
        }
        for count in [1, 20] {
            _ = try status { _ = try client.mpin.makeBackupCodes(count: count, by: pending, pin: secret("4962")) }
        }
        #expect(fixture.server.requests.count == 5)
    }

    @Test func `an ssh certificate is for a key that is part of the signature`() throws {
        let key = "AAAAC3NzaC1lZDI1NTE5AAAAIMh0eXKYiT6pQ2kbVlHfZq8Rj9uDwN1oGcSyB3E5xLa7"
        let pending = try client.mpin.startAuthentication(user)
        // The peer's answer has no certificate.
        let missing = try status { _ = try client.mpin.sshCertificate(for: key, by: pending, pin: secret("4962")) }
        #expect(missing == .responseParseError)
        #expect(fixture.direct.logins.last?.purpose == .sshCertificate(ByteText(key)))
        for other in ["", String(key.dropLast()), "ssh-ed25519 " + key] {
            let refused = try status {
                _ = try client.mpin.sshCertificate(for: other, by: pending, pin: secret("4962"))
            }
            #expect(refused == .flowError)
        }
        #expect(fixture.server.requests == DirectLoginTests.only)
    }

    /// Its path is fixed, because settings are not proven.
    @Test func `an announcement comes before the PIN, as without a device key`() throws {
        let pending = try client.mpin.startAuthentication(user, accessCode: "4241703")
        #expect(fixture.server.requests == ["POST /rps/codeStatus"])
        #expect(fixture.server.received.contains("4241703"))
        try client.mpin.finishAuthenticationAN(pending, pin: secret("4962"), accessNumber: "4241703")
        #expect(fixture.server.requests == ["POST /rps/codeStatus"] + DirectLoginTests.only)
    }

    /// The login continues whatever the result.
    @Test(arguments: [Answer.status(404), .status(200, "{}"), .status(500), .hangUp])
    func `the answer to an announcement does not matter`(answer: Answer) throws {
        fixture.answer("/rps/codeStatus", answer)
        let pending = try client.mpin.startAuthentication(user, accessCode: "4241703")
        try client.mpin.finishAuthenticationAN(pending, pin: secret("4962"), accessNumber: "4241703")
    }
}
