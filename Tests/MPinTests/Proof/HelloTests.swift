// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinCrypto
import MPinWire
import TestPeers
import Testing

/// Servers that prove their key, and registrations that get another key or address because of it.
@Suite struct HelloTests {
    private func hello(_ fixture: DirectFixture) throws -> ProvenServer {
        try MPinClient.hello(fixture.server.url, options: TransportOptions())
    }

    /// Another address of the same server.
    private func second(_ fixture: DirectFixture) throws -> LoopbackServer {
        let directory = fixture.directory + "/second"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        return try LoopbackServer(directory: directory, fixture.usual)
    }

    @Test func `a server proves its key`() throws {
        let fixture = try DirectFixture()
        let proven = try hello(fixture)
        #expect(proven.key == fixture.direct.signer.publicKey.bytes && proven.address == fixture.server.url)
        #expect(proven.fingerprint.bytes == fixture.direct.signer.keyHash)
        fixture.direct.isOld = true
        #expect(try failure { _ = try hello(fixture) }?.cause == .noServerProof)
    }

    @Test func `each altered byte, an old answer and another key prove nothing`() throws {
        let fixture = try DirectFixture()
        let (recorded, attacker) = (Recorded(), try ServerSigner())
        fixture.alter(DirectServer.helloPath) { recorded.keep($0) }
        _ = try hello(fixture)
        let old = try #require(recorded.last)
        for index in old.body.indices {
            fixture.alter(DirectServer.helloPath) { answer in
                var answer = answer
                answer.body[index] ^= 1
                return answer
            }
            #expect(try failure { _ = try hello(fixture) } != nil, "byte \(index)")
        }
        fixture.answer(DirectServer.helloPath, old)
        #expect(try failure { _ = try hello(fixture) }?.cause == .unproven)
        // The right key, with the proof of another.
        let direct = fixture.direct
        fixture.server.answer { exchange in
            guard exchange.path == DirectServer.helloPath, let (kind, request) = try? direct.statement(of: exchange)
            else { return direct.answer(exchange) }
            let body = HelloResponse(serverKey: direct.signer.publicKey).encode()
            return attacker.prove(.json(body), kind, request)
        }
        #expect(try failure { _ = try hello(fixture) }?.cause == .unproven)
    }

    @Test func `registrations move to another address, with what they have`() throws {
        let (fixture, client, user) = try DirectFixture.warm()
        let other = try second(fixture)
        defer { other.stop() }
        let proven = try MPinClient.hello(other.url, options: TransportOptions())
        for _ in 1...2 { #expect(try client.mpin.move(to: proven) == 1) }
        #expect(user.backend == other.url)
        let next = Client(try fixture.open())
        try next.mpin.selectBackend(other.url)
        let same = try next.first()
        #expect(same.mpinID == user.mpinID && next.mpin.allUsers.count == 1)
        try next.logIn(same, "4962")
        // One identity at one server is one registration, whatever the address.
        try next.mpin.setBackend(fixture.server.url)
        let again = next.mpin.makeUser("alice@example.org")
        #expect(try status { try next.mpin.startRegistration(again) } == .flowError)
    }

    @Test func `only registrations with the key move`() throws {
        let (fixture, client, user) = try DirectFixture.warm()
        let other = try DirectServer(ReferenceServer())
        fixture.server.answer { other.answer($0) }
        let record = try fixture.record()
        #expect(try client.mpin.move(to: hello(fixture)) == 0)
        #expect(user.serverKeyFingerprint?.bytes == fixture.direct.signer.keyHash)
        #expect(try fixture.record() == record)
    }

    @Test func `a Milagro registration belongs to no key`() throws {
        let (fixture, client, user) = try DirectFixture.warm(isOld: true)
        fixture.update()
        let record = try fixture.record()
        let proven = try hello(fixture)
        #expect(try client.mpin.move(to: proven) == 0)
        #expect(try client.mpin.trust(proven, fingerprint: proven.fingerprint) == 0)
        #expect(!user.hasDeviceKey && user.serverKeyFingerprint == nil && user.serverKeySource == nil)
        #expect(try fixture.record() == record)
        try client.logIn(user, "4962")
    }

    @Test func `a person confirms a new key`() throws {
        let (fixture, client, user) = try DirectFixture.warm()
        // The server was set up again with its registrations, and has another key.
        let successor = try DirectServer(fixture.reference)
        let key = try #require(fixture.direct.key(of: user.mpinID))
        successor.replaceKey(of: user.mpinID, by: key)
        fixture.server.answer { successor.answer($0) }
        for _ in 1...2 { #expect(try failure { try client.logIn(user, "4962") }?.cause == .unproven) }
        let proven = try hello(fixture)
        let old = try #require(KeyFingerprint(fixture.direct.signer.fingerprint))
        #expect(try failure { try client.mpin.trust(proven, fingerprint: old) }?.cause == .otherServerKey)
        let record = try fixture.record()
        #expect(try failure { try client.logIn(user, "4962") }?.cause == .unproven)
        #expect(try fixture.record() == record)
        let new = try #require(KeyFingerprint(successor.signer.fingerprint))
        for _ in 1...2 { #expect(try client.mpin.trust(proven, fingerprint: new) == 1) }
        let (next, same) = try fixture.nextProcess()
        #expect(same.serverKeySource == .fingerprint && same.serverKeyFingerprint == new)
        #expect(next.mpin.allUsers.count == 1)
        try next.logIn(same, "4962")
    }

    @Test func `a locked store stays as it is`() throws {
        let (fixture, client, _) = try DirectFixture.warm()
        let proven = try hello(fixture)
        let record = try fixture.record()
        let file = open(fixture.store + "/users/alice.lock", O_RDWR)
        #expect(file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0)
        defer { close(file) }
        #expect(try status { try client.mpin.move(to: proven) } == .storageError)
        #expect(try status { try client.mpin.trust(proven, fingerprint: proven.fingerprint) } == .storageError)
        #expect(try fixture.record() == record)
    }
}
