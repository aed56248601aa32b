// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinCrypto
import MPinWire
import TestPeers
import Testing

/// Servers that offer everything that a device key needs, nothing of it, or a part.
@Suite struct ServerOfferTests {
    /// What an enrollment with a device key needs in the settings.
    enum Part: CaseIterable, Sendable { case deviceKey, direct, proof, serverID, serverKey }

    /// What a new registration demands.
    enum Demand: CaseIterable, Sendable {
        case nothing, code, enrollmentCode, fingerprint

        var code: RegistrationCode? {
            switch self {
            case .nothing, .fingerprint: nil
            case .code: .application("123456")
            case .enrollmentCode: RegistrationCode(invitation: ProvenEnrollmentTests.code)
            }
        }
    }

    private func remove(_ part: Part, from settings: inout ClientSettings) {
        switch part {
        case .deviceKey: settings.extensions.removeAll { $0 == .deviceKey }
        case .direct: settings.extensions.removeAll { $0 == .direct }
        case .proof: settings.extensions.removeAll { $0 == .proof }
        case .serverID: settings.serverID = nil
        case .serverKey: settings.serverKey = nil
        }
    }

    /// Expects that the server is refused before anything else is sent to it.
    private func requireRefused(
        _ fixture: DirectFixture, _ demand: Demand, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try fixture.direct.know(ProvenEnrollmentTests.code)
        let (client, user) = try fixture.newUser()
        let fingerprint = demand == .fingerprint ? fixture.direct.signer.fingerprint : nil
        let error = try #require(
            try failure {
                try client.mpin.startRegistration(user, demand.code, serverKey: fingerprint)
            }, sourceLocation: sourceLocation)
        #expect(error.code == .networkError && error.cause == .noServerProof, sourceLocation: sourceLocation)
        #expect(
            fixture.server.requests.allSatisfy { $0 == "GET /rps/clientSettings" }, sourceLocation: sourceLocation)
        #expect(user.state == .invalid && !user.hasDeviceKey, sourceLocation: sourceLocation)
        #expect(!FileManager.default.fileExists(atPath: fixture.recordPath), sourceLocation: sourceLocation)
    }

    @Test(arguments: Part.allCases, Demand.allCases)
    func `a server that lacks a part is refused`(part: Part, demand: Demand) throws {
        let fixture = try DirectFixture()
        fixture.alterSettings { remove(part, from: &$0) }
        try requireRefused(fixture, demand)
        // The settings are read again, so that the next try finds a server that was repaired.
        let (client, user) = try fixture.newUser()
        fixture.answerAsEver()
        try client.mpin.startRegistration(user)
        #expect(user.hasDeviceKey)
    }

    @Test(arguments: Part.allCases, Demand.allCases)
    func `a server with one part alone is refused`(part: Part, demand: Demand) throws {
        let fixture = try DirectFixture()
        fixture.alterSettings { settings in
            for other in Part.allCases where other != part { remove(other, from: &settings) }
        }
        try requireRefused(fixture, demand)
    }

    /// The name of a server is the hash of its key, and the key is a point of the curve.
    enum Forgery: CaseIterable, Sendable { case otherName, shortName, otherKey, noPoint }

    @Test(arguments: Forgery.allCases, Demand.allCases)
    func `a key without its hash is refused`(forgery: Forgery, demand: Demand) throws {
        let fixture = try DirectFixture()
        let other = try ServerSigner()
        fixture.alterSettings { settings in
            switch forgery {
            case .otherName: settings.serverID = HexText(bytes: other.keyHash)
            case .shortName: settings.serverID = HexText(bytes: [UInt8](repeating: 0xAB, count: 16))
            case .otherKey: settings.serverKey = other.publicKey
            case .noPoint: settings.serverKey = HexText(bytes: [4] + [UInt8](repeating: 1, count: 64))
            }
        }
        try requireRefused(fixture, demand)
    }

    @Test(arguments: [Demand.enrollmentCode, .fingerprint])
    func `a server that offers nothing cannot satisfy a demand for a key`(demand: Demand) throws {
        try requireRefused(DirectFixture(isOld: true), demand)
    }

    /// An attacker with a trusted certificate can remove from the settings what they say of the key.
    @Test(arguments: [Demand.nothing, .code], [FileStore.Area.users, .staging])
    func `a server that offers nothing is refused unless it is expected`(demand: Demand, area: FileStore.Area) throws {
        let fixture = try DirectFixture(isOld: true)
        let (client, user) = try fixture.newUser(area, acceptsOld: false)
        let error = try #require(try failure { try client.mpin.startRegistration(user, demand.code) })
        #expect(error.code == .networkError && error.cause == .unexpectedOldServer)
        #expect(fixture.server.requests.allSatisfy { $0 == "GET /rps/clientSettings" })
        #expect(user.state == .invalid && !FileManager.default.fileExists(atPath: fixture.recordPath))
        // The settings are read again, so that the next try finds what an attacker had removed.
        fixture.update()
        try client.mpin.startRegistration(user, demand.code)
        #expect(user.hasDeviceKey)
    }

    @Test(arguments: [Demand.nothing, .code])
    func `a server that offers nothing gives a Milagro registration`(demand: Demand) throws {
        let fixture = try DirectFixture(isOld: true)
        let (client, user) = try fixture.newUser()
        try client.mpin.startRegistration(user, demand.code)
        #expect(!user.hasDeviceKey && user.keyPlace == .none && user.serverKeyFingerprint == nil)
        #expect(!fixture.server.received.contains("deviceKey"))
        if demand == .code { #expect(fixture.server.received.contains("\"activateCode\":\"123456\"")) }
        let record = try fixture.record()
        #expect(record.contains("\"version\":4") && !record.contains("Key") && !record.contains("serverId"))
    }

    /// Other extensions do not make a server one with device keys.
    @Test func `other extensions are no part of the offer`() throws {
        let fixture = try DirectFixture(isOld: true)
        fixture.reference.extensions = [.passID, .attemptsLeft, .revoke, .owner, .status, .invitationCode]
        let (client, user) = try fixture.started()
        #expect(!user.hasDeviceKey)
    }

    @Test func `a server that offers everything gives a registration with a key`() throws {
        let (fixture, client, user) = try DirectFixture.newUser()
        try client.mpin.startRegistration(user)
        #expect(user.hasDeviceKey && user.keyPlace == .file && user.serverKeySource == .tls)
        #expect(user.serverKeyFingerprint?.bytes == fixture.direct.signer.keyHash)
    }
}
