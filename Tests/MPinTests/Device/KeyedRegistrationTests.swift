// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinWire
import TestPeers
import Testing

/// Registrations that get a device key with their first request.
@Suite struct KeyedRegistrationTests {
    @Test func `the public half goes with the first request, and the record has both`() throws {
        let fixture = try DirectFixture()
        let (_, user) = try fixture.started()
        #expect(user.keyPlace == .file)
        let key = try #require(fixture.direct.key(of: user.mpinID))
        let record = try fixture.record()
        #expect(record.contains("\"version\":4") && record.contains("\"deviceKey\":\"\(key.string)\""))
        #expect(record.contains("\"deviceSecret\":\"") && record.contains("\"serverKey\":\""))
        // Another process continues with it.
        let (next, same) = try fixture.nextProcess()
        #expect(same.keyPlace == .file)
        try next.mpin.setBackend(fixture.server.url)
        try next.finish(same)
        try next.logIn(same, "4962")
        #expect(fixture.requests(of: DirectServer.path) == 1)
    }

    @Test func `a restart is signed and keeps the key`() throws {
        let (fixture, client, user) = try DirectFixture.started(activates: false)
        let key = fixture.direct.key(of: user.mpinID)
        #expect(try status { try client.mpin.confirmRegistration(user) } == .identityNotVerified)
        fixture.reference.activates = true
        try client.mpin.restartRegistration(user)
        #expect(fixture.direct.key(of: user.mpinID) == key && user.keyPlace == .file)
        try client.finish(user)
        try client.logIn(user, "4962")
    }

    /// Shares are in memory only: another process has none of them.
    @Test func `a registration whose share was lost continues with a restart`() throws {
        let (fixture, client, user) = try DirectFixture.started()
        let (before, key) = (user.mpinID, fixture.direct.key(of: user.mpinID))
        try client.mpin.confirmRegistration(user)
        let (next, same) = try fixture.nextProcess()
        #expect(try status { try next.mpin.restartRegistration(same) } == .flowError)
        #expect(try status { try next.mpin.confirmRegistration(same) } == .identityNotVerified)
        try next.mpin.restartRegistration(same)
        #expect(same.mpinID != before && same.state == .activated)
        #expect(fixture.direct.key(of: same.mpinID) == key)
        try next.finish(same)
        try next.logIn(same, "4962")
    }

    @Test func `a restart at a server that has forgotten takes the key along`() throws {
        let (fixture, client, user) = try DirectFixture.started(activates: false)
        let before = (user.mpinID, fixture.direct.key(of: user.mpinID))
        let successor = try DirectServer(try ReferenceServer(), signer: fixture.direct.signer)
        fixture.server.answer { successor.answer($0) }
        try client.mpin.restartRegistration(user)
        #expect(user.mpinID != before.0 && successor.key(of: user.mpinID) == before.1)
        try client.finish(user)
        try client.logIn(user, "4962")
    }

    @Test func `the signature of another device finishes nothing`() throws {
        let (fixture, client, user) = try DirectFixture.started()
        let other = client.mpin.makeUser("bob@example.org")
        try client.mpin.startRegistration(other)
        fixture.direct.replaceKey(of: user.mpinID, by: try #require(fixture.direct.key(of: other.mpinID)))
        #expect(try status { try client.mpin.confirmRegistration(user) } == .identityNotVerified)
    }
}
