// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinCrypto
import MPinWire
import TestPeers
import Testing

/// Records with a device key in files as they should not be.
@Suite struct DeviceRecordTests {
    /// A member of the only record, as the file has it.
    private func member(_ name: String, _ record: String) throws -> Substring {
        let start = try #require(record.firstRange(of: "\"\(name)\":"))
        let end = try #require(record[start.upperBound...].firstIndex { $0 == "," || $0 == "}" })
        return record[start.lowerBound..<end]
    }

    @Test func `each changed character of the keys is noticed`() throws {
        let (fixture, _, _) = try DirectFixture.enrolled()
        let record = try fixture.record()
        try fixture.expectNoticed(changesOf: ["deviceKey", "deviceSecret", "serverKey"])
        try fixture.write(record.replacingOccurrences(of: "\"tls\"", with: "\"invitation\""))
        #expect(try fixture.open().recordsSetAside == 1)
        try fixture.write(record)
        #expect(try fixture.open().recordsSetAside == 0)
    }

    /// Damage with a checksum that fits it.
    enum Damage: CaseIterable, Sendable {
        case none, inTPM
        case noDeviceKey, noSecret, noServerKey, noSource
        case deviceKeyAlone, secretAlone, serverKeyAlone, sourceAlone, blobAlone
        case shortDeviceKey, shortSecret, longSecret, emptySecret, secretOfNoDigits, numberSecret
        case shortServerKey, longServerKey, numberServerKey, otherSource, emptySource
        case secretAndBlob, emptyBlob, longBlob, blobOfNoDigits

        var isReadable: Bool { self == .none || self == .inTPM }

        func change(_ user: inout [String: Any]) {
            func keep(_ kept: String...) {
                for name in ["deviceKey", "deviceSecret", "tpmKey", "serverKey", "serverKeySource"]
                where !kept.contains(name) { user[name] = nil }
            }
            func text(_ name: String) -> String { user[name] as? String ?? "" }
            switch self {
            case .none: break
            case .inTPM: (user["deviceSecret"], user["tpmKey"]) = (nil, "0102")
            case .noDeviceKey: user["deviceKey"] = nil
            case .noSecret: user["deviceSecret"] = nil
            case .noServerKey: user["serverKey"] = nil
            case .noSource: user["serverKeySource"] = nil
            case .deviceKeyAlone: keep("deviceKey")
            case .secretAlone: keep("deviceSecret")
            case .serverKeyAlone: keep("serverKey")
            case .sourceAlone: keep("serverKeySource")
            case .blobAlone:
                keep()
                user["tpmKey"] = "0102"
            case .shortDeviceKey: user["deviceKey"] = String(text("deviceKey").dropLast(2))
            case .shortSecret: user["deviceSecret"] = String(text("deviceSecret").dropLast(2))
            case .longSecret: user["deviceSecret"] = text("deviceSecret") + "00"
            case .emptySecret: user["deviceSecret"] = ""
            case .secretOfNoDigits: user["deviceSecret"] = String(text("deviceSecret").dropLast(2)) + "zz"
            case .numberSecret: user["deviceSecret"] = 4
            case .shortServerKey: user["serverKey"] = String(text("serverKey").dropLast(2))
            case .longServerKey: user["serverKey"] = text("serverKey") + "00"
            case .numberServerKey: user["serverKey"] = 4
            case .otherSource: user["serverKeySource"] = "TLS"
            case .emptySource: user["serverKeySource"] = ""
            case .secretAndBlob: user["tpmKey"] = "0102"
            case .emptyBlob: (user["deviceSecret"], user["tpmKey"]) = (nil, "")
            case .longBlob: (user["deviceSecret"], user["tpmKey"]) = (nil, String(repeating: "01", count: 513))
            case .blobOfNoDigits: (user["deviceSecret"], user["tpmKey"]) = (nil, "zz")
            }
        }
    }

    @Test(arguments: Damage.allCases) func `half a record is no record`(_ damage: Damage) throws {
        let fixture = try DirectFixture()
        let (_, alice) = try fixture.enrolled()
        #expect(alice.hasDeviceKey)
        try fixture.changeRecord { damage.change(&$0) }
        let before = try fixture.record()
        let client = try fixture.open()
        #expect(client.recordsSetAside == (damage.isReadable ? 0 : 1))
        let users = client.allUsers
        #expect(users.count == (damage.isReadable ? 1 : 0))
        if damage.isReadable { #expect(users.first?.keyPlace == (damage == .inTPM ? .tpm : .file)) }
        #expect(try fixture.record() == before)
    }

    /// A checksum is required. Without it, a damaged record could lose its keys, and pass for one of 2016.
    @Test(arguments: [false, true]) func `a record without its checksum is no record`(isOld: Bool) throws {
        let fixture = try DirectFixture(isOld: isOld)
        _ = try fixture.enrolled()
        let record = try fixture.record()
        let checksum = String(try member("checksum", record))
        for other in ["", "\"checksum\":0,", "\"checksum\":null,", "\"checksum\":\"1\",", checksum + "0,"] {
            let damaged = record.replacingOccurrences(of: checksum + ",", with: other)
            #expect(damaged != record)
            try fixture.write(damaged)
            #expect(try fixture.open().recordsSetAside == 1, "\(other)")
        }
    }

    @Test(arguments: ["STARTED_REGISTRATION", "ACTIVATED"], [false, true])
    func `a record whose state contradicts its token is set aside`(state: String, isOld: Bool) throws {
        let fixture = try DirectFixture(isOld: isOld)
        _ = try fixture.enrolled()
        let record = try fixture.record()
        let changed = record.replacingOccurrences(of: "\"REGISTERED\"", with: "\"\(state)\"")
        #expect(changed != record)
        try fixture.write(changed)
        let client = try fixture.open()
        #expect(client.recordsSetAside == 1 && client.allUsers.isEmpty)
    }

    @Test func `a record that has lost its keys is not one of 2016`() throws {
        let (fixture, _, _) = try DirectFixture.enrolled()
        let record = try fixture.record()
        var bare = record
        for name in ["deviceKey", "serverKey", "serverKeySource"] {
            bare = bare.replacingOccurrences(of: String(try member(name, record)) + ",", with: "")
        }
        bare = bare.replacingOccurrences(of: "," + String(try member("deviceSecret", record)), with: "")
        #expect(!bare.contains("Key") && !bare.contains("Secret"))
        try fixture.write(bare)
        let client = try fixture.open()
        #expect(client.recordsSetAside == 1 && client.allUsers.isEmpty)
    }

    /// Such files are of another version of this program, or of a later one.
    @Test(arguments: [0, 1, 2, 3, 5, 99], [false, true])
    func `a file of another version is refused, and the reason is named`(version: Int, isOld: Bool) throws {
        let fixture = try DirectFixture(isOld: isOld)
        _ = try fixture.enrolled()
        let record = try fixture.record()
        let other = record.replacingOccurrences(of: "\"version\":4", with: "\"version\":\(version)")
        #expect(other != record)
        try fixture.write(other)
        let error = #expect(throws: MPinError.self) { _ = try fixture.open() }
        #expect(error?.message == "The M-Pin store has a file of another version of pam-mpin.")
        #expect(try fixture.record() == other)
    }

    @Test func `one file has registrations of both kinds`() throws {
        let fixture = try DirectFixture()
        let (client, alice) = try fixture.enrolled()
        try client.logIn(alice, "4962")
        fixture.direct.isOld = true
        try client.mpin.setBackend(fixture.server.url)
        fixture.reference.namedUser = "bob@example.org"
        let bob = client.mpin.makeUser("bob@example.org")
        try client.register(bob, "7385")
        try client.logIn(bob, "7385")
        let next = Client(try fixture.open())
        try next.mpin.selectBackend(fixture.server.url)
        #expect(next.mpin.allUsers.map(\.hasDeviceKey) == [true, false])
        try next.logIn(next.mpin.allUsers[1], "7385")
        fixture.update()
        fixture.reference.namedUser = "alice@example.org"
        try next.logIn(next.mpin.allUsers[0], "4962")
    }

    @Test(arguments: [false, true]) func `an unreadable record is kept while another is written`(isOld: Bool) throws {
        let fixture = try DirectFixture()
        let (_, alice) = try fixture.enrolled()
        #expect(alice.keyPlace == .file)
        // The only key is in a record that contradicts itself.
        let strange = try fixture.record().replacingOccurrences(of: "\"REGISTERED\"", with: "\"FUTURE\"")
        try fixture.write(strange)
        let kept = try #require(strange.firstMatch(of: /"users":\[(.*)\]}/)).output.1
        fixture.direct.isOld = isOld
        let client = try fixture.client()
        #expect(client.mpin.recordsSetAside == 1)
        let bob = client.mpin.makeUser("bob@example.org")
        try client.mpin.startRegistration(bob)
        let after = try fixture.record()
        #expect(after.contains(kept) && after.contains("\"version\":4"))
        try client.mpin.deleteUser(bob)
        #expect(try fixture.record().contains(kept))
    }

    @Test func `an identity at an address is registered once, whatever its key`() throws {
        let fixture = try DirectFixture()
        let (client, user) = try fixture.enrolled()
        // By the address: nothing shows yet that it is another server.
        let again = client.mpin.makeUser("alice@example.org")
        let other = try DirectServer(ReferenceServer())
        fixture.server.answer { other.answer($0) }
        try client.mpin.setBackend(fixture.server.url)
        fixture.server.forget()
        #expect(try status { try client.mpin.startRegistration(again) } == .flowError)
        #expect(fixture.server.requests.isEmpty)
        try client.mpin.deleteUser(user)
        #expect(!user.hasDeviceKey && user.serverKeyFingerprint == nil)
        try client.mpin.startRegistration(again)
        #expect(again.serverKeyFingerprint?.bytes == other.signer.keyHash)
    }

    @Test func `a change of the PIN keeps the key`() throws {
        let (fixture, client, user) = try DirectFixture.warm()
        let before = try fixture.record()
        #expect(
            try status { try client.mpin.changePIN(user, from: secret("4963"), to: secret("7385")) } == .incorrectPIN)
        #expect(try fixture.record() == before)
        try client.mpin.changePIN(user, from: secret("4962"), to: secret("7385"))
        #expect(fixture.direct.logins.suffix(2).map(\.purpose) == [.changePIN, .login])
        let after = try fixture.record()
        for name in ["deviceKey", "deviceSecret", "serverKey", "serverKeySource"] {
            #expect(try member(name, after) == member(name, before))
        }
        let (next, same) = try fixture.nextProcess()
        try next.logIn(same, "7385")
        #expect(fixture.server.requests == DirectLoginTests.only)
    }

    @Test func `a lifted block keeps the key`() throws {
        let (fixture, client, user) = try DirectFixture.warm()
        for _ in 1...3 { _ = try failure { try client.logIn(user, "4963") } }
        #expect(user.state == .blocked)
        #expect(try status { try client.mpin.liftBlock(of: user, pin: secret("4962")) } == .incorrectPIN)
        fixture.direct.forgetFailures()
        try client.mpin.liftBlock(of: user, pin: secret("4962"))
        #expect(user.state == .registered && user.keyPlace == .file)
        try client.logIn(user, "4962")
    }

    @Test func `the directory holds many records with keys, and says when it is full`() throws {
        let fixture = try DirectFixture()
        let client = try fixture.client()
        var ended: MPinStatus?
        var count = 0
        while ended == nil, count < 200 {
            let identity = "user\(count)@example.org"
            fixture.reference.namedUser = identity
            ended = try status { try client.mpin.startRegistration(client.mpin.makeUser(identity)) }
            count += 1
        }
        #expect(ended == .storageError && count > 12)
        #expect(try fixture.open().allUsers.count == count - 1)
    }
}
