// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinWire
import TestPeers
import Testing

/// Records with a device key in files as they should not be.
@Suite struct KeyedRecordTests {
    /// A member of the only record, as the file has it.
    private func member(_ name: String, _ record: String) throws -> Substring {
        let start = try #require(record.firstRange(of: "\"\(name)\":"))
        let end = try #require(record[start.upperBound...].firstIndex { $0 == "," || $0 == "}" })
        return record[start.lowerBound..<end]
    }

    @Test func `each changed character of the key is noticed`() throws {
        let fixture = try DirectFixture()
        _ = try fixture.fixture.enrolled()
        try fixture.expectNoticed(changesOf: ["deviceKey", "deviceSecret"])
    }

    /// The record without its server's name, and with the checksum of that.
    private func withoutServer(_ record: String) throws -> String {
        let file = try JSONSerialization.jsonObject(with: Data(record.utf8)) as? [String: Any]
        let user = try #require((file?["users"] as? [[String: Any]])?.first)
        func text(_ name: String) throws -> String { try #require(user[name] as? String) }
        func bytes(_ name: String) throws -> [UInt8] {
            let text = Array(try text(name).utf8)
            let decoded = HexText(text: text.span)
            return try #require(decoded).bytes
        }
        let length = UInt8(try #require(user["pinLength"] as? Int))
        let summed: [UInt8] =
            try Array(text("identity").utf8) + [0xFF, 0xFF, 0xFF] + Array(text("pinScheme").utf8) + [0xFF]
            + Array(text("mpinId").utf8) + [length] + bytes("token") + Array(text("deviceKey").utf8) + [0]
            + bytes("deviceSecret")
        let checksum = summed.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        return try record.replacingOccurrences(of: String(member("serverId", record)) + ",", with: "")
            .replacingOccurrences(of: String(member("checksum", record)), with: "\"checksum\":\(checksum)")
    }

    enum Damage: String, CaseIterable, Sendable {
        case noSecret, noPublicHalf, shortSecret, longSecret, shortKey, noDigits, pending, pendingFalse, pendingNumber
        case noChecksum, nullSecret, pendingAlone, noServer
    }

    @Test(arguments: Damage.allCases) func `half a key is not a record`(_ damage: Damage) throws {
        let fixture = try DirectFixture()
        _ = try fixture.fixture.enrolled()
        let record = try fixture.fixture.record()
        let key = String(try member("deviceKey", record))
        let secret = String(try member("deviceSecret", record))
        let checksum = String(try member("checksum", record))
        let damaged =
            switch damage {
            case .noSecret: record.replacingOccurrences(of: "," + secret, with: "")
            case .noPublicHalf: record.replacingOccurrences(of: key + ",", with: "")
            case .shortSecret: record.replacingOccurrences(of: secret, with: secret.dropLast(3) + "\"")
            case .longSecret: record.replacingOccurrences(of: secret, with: secret.dropLast(1) + "00\"")
            case .shortKey: record.replacingOccurrences(of: key, with: key.dropLast(3) + "\"")
            case .noDigits: record.replacingOccurrences(of: secret, with: secret.dropLast(3) + "zz\"")
            case .pending: record.replacingOccurrences(of: key, with: key + ",\"keyPending\":true")
            case .pendingFalse:
                record.replacingOccurrences(of: key, with: key + ",\"keyPending\":null,\"keyPending\":true")
            case .pendingNumber: record.replacingOccurrences(of: key, with: key + ",\"keyPending\":1")
            case .noChecksum: record.replacingOccurrences(of: checksum + ",", with: "")
            case .noServer:
                try withoutServer(record)
            case .nullSecret: record.replacingOccurrences(of: secret, with: "\"deviceSecret\":null")
            case .pendingAlone:
                record.replacingOccurrences(of: key, with: "\"keyPending\":true").replacingOccurrences(
                    of: "," + secret, with: "")
            }
        #expect(damaged != record)
        try fixture.write(damaged)
        do {
            let client = try fixture.fixture.open()
            #expect(client.recordsSetAside == 1 && client.users.isEmpty)
        } catch is StoreError {}
        #expect(try fixture.fixture.record() == damaged)
    }

    @Test(arguments: [0, 4, 99]) func `files of other versions are refused`(version: Int) throws {
        let fixture = try DirectFixture()
        _ = try fixture.fixture.enrolled()
        try fixture.write(
            fixture.fixture.record().replacingOccurrences(of: "\"version\":2", with: "\"version\":\(version)"))
        #expect(throws: StoreError.self) { _ = try fixture.fixture.open() }
    }

    @Test func `a file has version 2 as long as a record in it has a key`() throws {
        let fixture = try DirectFixture(isOld: true)
        let (client, _) = try fixture.fixture.enrolled()
        #expect(try fixture.fixture.record().contains("\"version\":1"))
        fixture.update()
        try client.mpin.setBackend(fixture.server.url)
        let bob = client.mpin.makeUser("bob@example.org")
        fixture.fixture.reference.namedUser = "bob@example.org"
        try client.mpin.startRegistration(bob)
        #expect(try fixture.fixture.record().contains("\"version\":2"))
        try client.mpin.deleteUser(bob)
        #expect(try fixture.fixture.record().contains("\"version\":1"))
    }

    @Test func `an unreadable record keeps the file's version`() throws {
        let fixture = try DirectFixture()
        let (_, alice) = try fixture.fixture.enrolled()
        #expect(alice.keyPlace == .file)
        // The only key is in a record that contradicts itself.
        let record = try fixture.fixture.record()
        try fixture.write(record.replacingOccurrences(of: "\"REGISTERED\"", with: "\"FUTURE\""))
        fixture.direct.offersKeys = false
        let client = Client(try fixture.fixture.open())
        try client.mpin.setBackend(fixture.server.url)
        try client.mpin.startRegistration(client.mpin.makeUser("bob@example.org"))
        let after = try fixture.fixture.record()
        let kept = try member("deviceSecret", record)
        #expect(after.contains("\"version\":2") && after.contains(kept))
    }

    @Test func `a keyed record in a file of version 1 is read, and written as it has to be`() throws {
        let fixture = try DirectFixture()
        _ = try fixture.fixture.enrolled()
        try fixture.write(
            fixture.fixture.record().replacingOccurrences(of: "\"version\":2", with: "\"version\":1"))
        let (client, user) = try fixture.nextProcess()
        try client.mpin.changePIN(user, from: secret("4962"), to: secret("7385"))
        #expect(try fixture.fixture.record().contains("\"version\":2"))
    }

    @Test func `a change of the PIN keeps the key`() throws {
        let fixture = try DirectFixture()
        let (client, user) = try fixture.warm()
        let before = try fixture.fixture.record()
        #expect(
            try status { try client.mpin.changePIN(user, from: secret("4963"), to: secret("7385")) } == .incorrectPIN)
        #expect(try fixture.fixture.record() == before)
        try client.mpin.changePIN(user, from: secret("4962"), to: secret("7385"))
        #expect(fixture.direct.logins.suffix(2).map(\.purpose) == [.changePIN, .login])
        let after = try member("deviceSecret", fixture.fixture.record())
        #expect(try after == member("deviceSecret", before))
        let (next, same) = try fixture.nextProcess()
        try next.logIn(same, "7385")
        #expect(fixture.server.requests == DirectLoginTests.only)
    }

    @Test func `a lifted block keeps the key`() throws {
        let fixture = try DirectFixture()
        let (client, user) = try fixture.warm()
        for _ in 1...3 { _ = try failure { try client.logIn(user, "4963") } }
        #expect(user.state == .blocked)
        #expect(try status { try client.mpin.liftBlock(of: user, pin: secret("4962")) } == .incorrectPIN)
        fixture.direct.forgetFailures()
        try client.mpin.liftBlock(of: user, pin: secret("4962"))
        #expect(user.state == .registered && user.keyPlace == .file)
        try client.logIn(user, "4962")
    }

    @Test func `the directory holds many keyed records, and says when it is full`() throws {
        let fixture = try DirectFixture()
        let client = Client(try fixture.fixture.open())
        try client.mpin.setBackend(fixture.server.url)
        var ended: MPinStatus?
        var count = 0
        while ended == nil, count < 200 {
            let identity = "user\(count)@example.org"
            fixture.fixture.reference.namedUser = identity
            ended = try status { try client.mpin.startRegistration(client.mpin.makeUser(identity)) }
            count += 1
        }
        #expect(ended == .storageError && count > 12)
        #expect(try fixture.fixture.open().allUsers.count == count - 1)
    }
}
