// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinWire
import TestPeers
import Testing

/// Records with a server key in files as they should not be.
@Suite struct PinnedRecordTests {
    /// Changes the only record and gives it the checksum of its new content.
    private func change(_ fixture: DirectFixture, _ change: (inout [String: Any]) -> Void) throws {
        let data = Data(try fixture.fixture.record().utf8)
        var file = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        var user = try #require((file["users"] as? [[String: Any]])?.first)
        change(&user)
        func text(_ name: String) -> [UInt8] { Array((user[name] as? String ?? "").utf8) }
        func bytes(_ name: String) -> [UInt8] { HexText(text: text(name).span)?.bytes ?? [] }
        var summed = ["identity", "serverId", "regOTT", "pinScheme"].flatMap { text($0) + [0xFF] } + text("mpinId")
        summed += [UInt8(user["pinLength"] as? Int ?? 0)] + bytes("token")
        if user["deviceKey"] != nil {
            summed += text("deviceKey") + [user["keyPending"] as? Bool == true ? 1 : 0] + bytes("deviceSecret")
        }
        if user["serverKey"] != nil, user["serverKeySource"] != nil {
            summed += text("serverKey") + text("serverKeySource") + [0xFF]
        }
        user["checksum"] = Int(summed.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 })
        file["users"] = [user]
        try JSONSerialization.data(withJSONObject: file).write(to: URL(fileURLWithPath: fixture.fixture.recordPath))
    }

    enum Damage: CaseIterable, Sendable {
        case none, noKey, noSource, otherSource, sourceAlone, otherKey, shortKey, numberKey, pending, noDeviceKey
        case shortName, otherName, noName
    }

    @Test(arguments: Damage.allCases) func `a pin is whole, and has a device key`(_ damage: Damage) throws {
        let fixture = try DirectFixture(proves: true)
        let (_, alice) = try fixture.fixture.enrolled()
        #expect(alice.isPinned)
        let other = try ServerSigner()
        try change(fixture) { user in
            switch damage {
            case .none: break
            case .noKey: (user["serverKey"], user["serverKeySource"]) = (nil, nil)
            case .noSource: user["serverKeySource"] = nil
            case .otherSource: user["serverKeySource"] = "TLS"
            case .sourceAlone:
                user["serverKey"] = nil
                user["serverId"] = "abababababababababababababababab"
            case .otherKey: user["serverKey"] = other.publicKey.string
            case .shortKey: user["serverKey"] = String(other.publicKey.string.dropLast(2))
            case .numberKey: user["serverKey"] = 4
            case .pending: user["keyPending"] = true
            case .noDeviceKey: (user["deviceKey"], user["deviceSecret"]) = (nil, nil)
            case .shortName: user["serverId"] = "abababababababababababababababab"
            case .otherName: user["serverId"] = other.fingerprint
            case .noName: user["serverId"] = nil
            }
        }
        let before = try fixture.fixture.record()
        let client = try fixture.fixture.open()
        #expect(client.recordsSetAside == (damage == .none ? 0 : 1))
        #expect(client.allUsers.count == (damage == .none ? 1 : 0))
        #expect(try fixture.fixture.record() == before)
    }

    @Test func `each changed character of the pin is noticed`() throws {
        let fixture = try DirectFixture(proves: true)
        _ = try fixture.fixture.enrolled()
        let record = try fixture.fixture.record()
        try fixture.expectNoticed(changesOf: ["serverKey", "serverId"])
        try fixture.write(record.replacingOccurrences(of: "\"tls\"", with: "\"invitation\""))
        #expect(try fixture.fixture.open().recordsSetAside == 1)
    }

    @Test func `a file has version 3 as long as a record in it has a pin`() throws {
        let fixture = try DirectFixture()
        let (client, _) = try fixture.fixture.enrolled()
        #expect(try fixture.fixture.record().contains("\"version\":2"))
        fixture.direct.offersProof = true
        try client.mpin.setBackend(fixture.server.url)
        let bob = client.mpin.makeUser("bob@example.org")
        try client.mpin.startRegistration(bob)
        #expect(try fixture.fixture.record().contains("\"version\":3"))
        try client.mpin.deleteUser(bob)
        #expect(try fixture.fixture.record().contains("\"version\":2"))
    }

    @Test func `an unreadable record keeps the file's version`() throws {
        let fixture = try DirectFixture(proves: true)
        _ = try fixture.fixture.enrolled()
        let record = try fixture.fixture.record()
        try fixture.write(record.replacingOccurrences(of: "\"REGISTERED\"", with: "\"FUTURE\""))
        fixture.direct.offersProof = false
        let client = Client(try fixture.fixture.open())
        try client.mpin.setBackend(fixture.server.url)
        try client.mpin.startRegistration(client.mpin.makeUser("bob@example.org"))
        #expect(try fixture.fixture.record().contains("\"version\":3"))
    }

    @Test func `two keys at one address are two registrations`() throws {
        let fixture = try DirectFixture(proves: true)
        let (client, user) = try fixture.fixture.enrolled()
        // By the address: nothing shows yet that it is another server.
        let again = client.mpin.makeUser("alice@example.org")
        #expect(try status { try client.mpin.startRegistration(again) } == .flowError)
        try client.mpin.deleteUser(user)
        #expect(!user.isPinned && user.serverKeyFingerprint == nil)
    }
}
