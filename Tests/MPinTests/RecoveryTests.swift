// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinWire
import TestPeers
import Testing

/// A new registration that takes the place of the old one.
@Suite struct RecoveryTests {
    /// A registration in use, and a finished one in the staging area.
    private final class Staging {
        let fixture: Fixture
        let inUse: String
        let staged: Client
        let renewed: User

        init() throws {
            fixture = try Fixture()
            inUse = try fixture.enrolled(pin: "4962").1.mpinID
            staged = Client(try fixture.open(.staging))
            try staged.mpin.setBackend(fixture.server.url)
            renewed = staged.mpin.makeUser("alice@example.org")
            try staged.mpin.startRegistration(renewed)
            try staged.mpin.confirmRegistration(renewed)
            try staged.mpin.finishRegistration(renewed, pin: secret("7385"))
        }
    }

    @Test func `a registration that has not logged in replaces nothing`() throws {
        let staging = try Staging()
        let before = try staging.fixture.record()
        let wrong = try failure { try staging.staged.mpin.recover(staging.renewed, pin: secret("7386")) }
        #expect(wrong?.code == .incorrectPIN && wrong?.pinChecked == .yes)
        #expect(try staging.fixture.record() == before)
        try staging.staged.mpin.recover(staging.renewed, pin: secret("7385"))
        let stored = try staging.fixture.open().allUsers
        #expect(stored.map(\.mpinID) == [staging.renewed.mpinID])
        #expect(staging.renewed.mpinID != staging.inUse)
    }

    /// A registration of 2016 cannot have others revoked, whatever the server offers.
    @Test(arguments: [[], [ProtocolExtension.revoke, .owner]]) func `a replaced registration is not kept`(
        extensions: [ProtocolExtension]
    ) throws {
        let staging = try Staging()
        staging.fixture.reference.extensions = extensions
        try staging.staged.mpin.setBackend(staging.fixture.server.url)
        #expect(try !staging.staged.mpin.recover(staging.renewed, pin: secret("7385")))
        #expect(staging.renewed.notes.replaced.isEmpty)
        #expect(try staging.fixture.open().allUsers.first?.notes.replaced.isEmpty == true)
    }

    @Test func `a registration in use cannot replace itself`() throws {
        let (fixture, client, user) = try Fixture.enrolled()
        #expect(try status { try client.mpin.recover(user, pin: secret("4962")) } == .flowError)
        #expect(fixture.server.requests.isEmpty)
        #expect(user.state == .registered)
    }

    /// The leftovers of an interrupted change of the PIN are not a new registration; one that has begun is.
    @Test func `leftovers are distinguished from a new registration`() throws {
        let staging = try Staging()
        try staging.staged.mpin.discardLeftovers()
        #expect(staging.staged.mpin.allUsers.map(\.mpinID) == [staging.renewed.mpinID])
        let other = try Fixture()
        _ = try other.enrolled()
        _ = try other.open(.staging)
        try FileManager.default.copyItem(
            atPath: other.recordPath, toPath: other.store + "/staging/alice.json")
        var left = try other.open(.staging)
        let before = left.allUsers.count
        try left.discardLeftovers()
        let after = left.allUsers.count
        #expect(before == 1 && after == 0)
        #expect(try other.open().allUsers.count == 1)
    }

    /// The server's last answer is stored beside the records and concerns the registration in use: without it the account
    /// phase would let a revoked user pass where the server cannot be asked.
    @Test func `deleting a staged registration keeps the last answer about the one in use`() throws {
        let (fixture, client, user) = try Fixture.enrolled()
        fixture.answer("/rps/timePermit", .status(410))
        #expect(try status { try client.logIn(user, "4962") } == .revoked)
        let staged = Client(try fixture.open(.staging))
        try staged.mpin.setBackend(fixture.server.url)
        let renewed = staged.mpin.makeUser("alice@example.org")
        try staged.mpin.startRegistration(renewed)
        try staged.mpin.deleteUser(renewed)
        #expect(try fixture.open().allUsers.first?.lastRefusal == .revoked)
        try client.mpin.deleteUser(user)
        #expect(try fixture.open().allUsers.isEmpty)
    }
}
