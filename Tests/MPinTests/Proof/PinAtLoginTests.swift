// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinCrypto
import MPinWire
import TestPeers
import Testing

/// Registrations from before the server had a key.
@Suite struct PinAtLoginTests {
    /// A registration without a pin, at a server that proves its answers now.
    private func updated() throws -> (DirectFixture, Client, User) {
        let fixture = try DirectFixture()
        _ = try fixture.warm()
        fixture.direct.offersProof = true
        try FileManager.default.removeItem(atPath: fixture.fixture.cachePath)
        let (client, user) = try fixture.nextProcess()
        #expect(!user.isPinned)
        return (fixture, client, user)
    }

    @Test func `the next login gives the pin`() throws {
        let (fixture, client, user) = try updated()
        #expect(try status { try client.logIn(user, "4963") } == .incorrectPIN)
        #expect(!user.isPinned)
        try client.logIn(user, "4962")
        #expect(user.isPinned && user.serverKeySource == .tls)
        let record = try fixture.fixture.record()
        #expect(record.contains("\"version\":3"))
        #expect(record.contains("\"serverId\":\"\(fixture.direct.signer.fingerprint)\""))
        // This client can log in again, and so can another process.
        try client.logIn(user, "4962")
        let (next, same) = try fixture.nextProcess()
        #expect(same.isPinned)
        try next.logIn(same, "4962")
        #expect(fixture.server.requests == DirectLoginTests.only)
        fixture.answer(DirectServer.path, .status(200, "{\"userId\":\"alice@example.org\"}"))
        #expect(try failure { try next.logIn(same, "4962") }?.cause == .unproven)
    }

    @Test func `a change of the PIN gives the pin, and keeps it`() throws {
        let (fixture, client, user) = try updated()
        try client.mpin.changePIN(user, from: secret("4962"), to: secret("7385"))
        #expect(user.isPinned)
        let (next, same) = try fixture.nextProcess()
        #expect(same.isPinned)
        try next.logIn(same, "7385")
    }

    @Test func `an answer without a right proof logs in as before, and gives none`() throws {
        let (fixture, client, user) = try updated()
        let record = try fixture.fixture.record()
        for change in [0, 1] {
            fixture.alter(DirectServer.path) { answer in
                let count = AnswerProof.split(answer.body.span)?.signedCount ?? 0
                var answer = answer
                if change == 0 {
                    answer.body = answer.body.prefix(count) + Array("}".utf8)
                } else {
                    answer.body[answer.body.count - 3] = answer.body[answer.body.count - 3] == 0x30 ? 0x31 : 0x30
                }
                return answer
            }
            try client.logIn(user, "4962")
            #expect(!user.isPinned)
            #expect(try fixture.fixture.record() == record)
        }
    }

    @Test func `a record that cannot be changed logs in, and gets the pin later`() throws {
        let (fixture, client, user) = try updated()
        let before = try fixture.fixture.record()
        let file = open(fixture.fixture.store + "/users/alice.lock", O_RDWR)
        #expect(file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0)
        try client.logIn(user, "4962")
        #expect(!user.isPinned)
        #expect(try fixture.fixture.record() == before)
        close(file)
        try client.logIn(user, "4962")
        #expect(user.isPinned)
    }

    @Test func `a registration that was replaced meanwhile gets no pin`() throws {
        let (fixture, client, user) = try updated()
        let path = fixture.fixture.recordPath
        let direct = fixture.direct
        let other = try DirectFixture()
        _ = try other.fixture.enrolled()
        let replaced = try other.fixture.record().replacingOccurrences(
            of: other.server.url, with: fixture.server.url)
        fixture.server.answer { exchange in
            if exchange.path == DirectServer.path {
                try? replaced.write(toFile: path, atomically: false, encoding: .utf8)
            }
            return direct.answer(exchange)
        }
        try client.logIn(user, "4962")
        #expect(!user.isPinned)
        #expect(try fixture.fixture.record() == replaced)
    }

    /// An attacker who swaps the key at this moment is noticed at the first contact with the real server: the device signs
    /// for the swapped key.
    @Test func `a swapped key is noticed`() throws {
        let (fixture, client, user) = try updated()
        let attacker = try ServerSigner()
        fixture.attack(attacker)
        try client.logIn(user, "4962")
        #expect(user.isPinned && user.serverKeyFingerprint?.bytes == attacker.keyHash)
        fixture.answerAsEver()
        let (next, same) = try fixture.nextProcess()
        for _ in 1...2 { #expect(try failure { try next.logIn(same, "4962") }?.cause == .unproven) }
        #expect(same.lastRefusal == nil)
    }

    @Test func `a key that is not bound yet comes first`() throws {
        let fixture = try DirectFixture(isOld: true)
        let (client, user) = try fixture.fixture.enrolled()
        try client.logIn(user, "4962")
        fixture.update()
        fixture.direct.offersProof = true
        try FileManager.default.removeItem(atPath: fixture.fixture.cachePath)
        let (next, same) = try fixture.nextProcess()
        try next.logIn(same, "4962")
        #expect(same.keyPlace == .file && !same.isPinned)
        try next.logIn(same, "4962")
        #expect(same.isPinned)
    }
}
