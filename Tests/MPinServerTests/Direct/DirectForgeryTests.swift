// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinCrypto
import MPinServer
import MPinServerStorage
import Testing

/// Requests that the device has not signed as they come.
@Suite struct DirectForgeryTests {
    private static let changes: [(String, @Sendable (inout DirectRequest, DirectRequest) -> Void)] = [
        ("U", { $0.u = $1.u }), ("V", { $0.v = $1.v }), ("time", { request, _ in request.time += 1 }),
        ("purpose", { request, _ in request.purpose = "changePin" }),
        ("M-Pin ID", { $0.mpinID = $1.mpinID }), ("signature", { $0.signature = $1.signature }),
        ("r", { request, _ in request.signature[0] ^= 1 }), ("s", { request, _ in request.signature[63] ^= 1 }),
        ("zeroes", { request, _ in request.signature = [UInt8](repeating: 0, count: 64) }),
    ]

    @Test(arguments: changes.indices)
    func `a signature over anything else is refused`(index: Int) throws {
        let (fixture, alice) = try Fixture.withDevice()
        let other = try DirectRequest(fixture.device("bob"), pin: "9999")
        for pin in ["1234", "9999"] {
            var request = try DirectRequest(alice, pin: pin)
            Self.changes[index].1(&request, other)
            let refused = try request.send(at: fixture)
            #expect(refused.status == 404 && refused.object["attemptsLeft"] == nil, "\(Self.changes[index].0)")
        }
        for user in ["alice", "bob"] { #expect(try fixture.shown(user).failures == 0) }
        #expect(try alice.login(at: fixture).status == 200)
    }

    @Test func `an argument, another server's name and another key are not those that were signed`() throws {
        let (fixture, alice) = try Fixture.withDevice()
        var request = try DirectRequest(alice, "invite", "120")
        request.argument = "121"
        #expect(try request.send(at: fixture).status == 404)
        request.argument = ""
        #expect(try request.send(at: fixture).status == 404)
        let other = try Fixture()
        let elsewhere = try other.device()
        #expect(elsewhere.serverID != alice.serverID)
        #expect(try DirectRequest(alice, serverID: elsewhere.serverID).send(at: fixture).status == 404)
        // A server of the two-pass protocol may choose its challenge, and a thief of token and PIN needs no server.
        #expect(try DirectRequest(alice, signer: DeviceSecret()).send(at: fixture).status == 404)
        #expect(try fixture.shown().failures == 0)
    }

    @Test func `an s in the upper half of its range is as good, and no second login`() throws {
        let (fixture, alice) = try Fixture.withDevice()
        for _ in 0..<8 {
            var request = try DirectRequest(alice)
            let twin = Self.negated(request.signature)
            if !Self.isHigh(request.signature) { request.signature = twin }
            #expect(try request.send(at: fixture).status == 200)
            request.signature = Self.negated(request.signature)
            #expect(try request.send(at: fixture).status == 409)
        }
    }

    @Test func `two registrations with one key are judged apart`() throws {
        let fixture = try Fixture()
        let key = try DeviceSecret()
        let (alice, bob) = (try fixture.device("alice", key: key), try fixture.device("bob", key: key))
        for _ in 0..<3 { _ = try alice.login(pin: "9999", at: fixture) }
        #expect(try alice.login(at: fixture).status == 410)
        #expect(try bob.login(at: fixture).string("userId") == "bob")
        #expect(try fixture.shown("bob").failures == 0)
        // A signature of one is of no use to the other.
        var request = try DirectRequest(bob)
        request.mpinID = alice.enrolled.mpinID
        #expect(try request.send(at: fixture).status == 404)
    }

    /// The order of P-256.
    private static let order = unhex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")

    private static func isHigh(_ signature: [UInt8]) -> Bool {
        !signature[32...].lexicographicallyPrecedes(negated(signature)[32...])
    }

    /// r and n - s.
    private static func negated(_ signature: [UInt8]) -> [UInt8] {
        var result = signature
        var borrow = 0
        for index in (0..<32).reversed() {
            let difference = Int(order[index]) - Int(signature[32 + index]) - borrow
            borrow = difference < 0 ? 1 : 0
            result[32 + index] = UInt8(difference + 256 * borrow)
        }
        return result
    }
}
