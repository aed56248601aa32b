// SPDX-License-Identifier: Apache-2.0
import MPinCrypto
import Testing

/// Logins with fresh random numbers, and what a server is asked that no vector file can hold.
@Suite
struct LoginTests {
    let identity: Identity
    let serverSecret: [UInt8]
    let verifier: Verifier
    let clientSecret: [UInt8]
    let permit: [UInt8]
    let day: PermitDay

    init() throws {
        identity = try Identity(mpinID: Array("{\"userID\":\"heidi\"}".utf8))
        day = try #require(PermitDay(20_000))
        let first = try TrustAuthority.generate()
        let second = try TrustAuthority.generate()
        let serverSecret = try Shares.recombineServer(first.serverShare(), second.serverShare())
        self.serverSecret = Secrets.bytes(serverSecret)
        verifier = try Verifier(serverSecret: serverSecret)
        let share1 = try first.clientShare(hashedID: identity.hash)
        let share2 = try second.clientShare(hashedID: identity.hash)
        let secret = try Shares.recombine(share1, share2)
        clientSecret = Secrets.bytes(secret)
        let permit1 = try first.permitShare(hashedID: identity.hash, day: day)
        let permit2 = try second.permitShare(hashedID: identity.hash, day: day)
        let permit = try Shares.recombine(permit1, permit2)
        self.permit = Secrets.bytes(permit)
    }

    private func token(_ pin: Int32) throws -> SecretBytes {
        let secret = try Secrets.secret(clientSecret)
        let factor = try PINFactor(integer: pin)
        return try ClientToken.extract(identity: identity, factor: factor, clientSecret: secret)
    }

    private func plainSession(_ token: borrowing SecretBytes, _ pin: Int32) throws -> ClientSession {
        let factor = try PINFactor(integer: pin)
        return try ClientSession(identity: identity, token: token, factor: factor)
    }

    private func session(_ token: borrowing SecretBytes, _ pin: Int32) throws -> ClientSession {
        let factor = try PINFactor(integer: pin)
        let permit = try Secrets.secret(permit)
        return try ClientSession(identity: identity, token: token, factor: factor, permit: permit, day: day)
    }

    @Test
    func `the right PIN is accepted, a wrong one is not, with and without a permit`() throws {
        let token = try token(1234)
        for (pin, right) in [(Int32(1234), true), (1235, false), (0, false)] {
            let y = try Challenge.generate()
            let plain = try plainSession(token, pin)
            let u = plain.u
            let v = try plain.answer(challenge: y)
            #expect(verifier.accepts(identity: identity, day: nil, u: u, ut: nil, y: y, v: v) == right)
            let dated = try session(token, pin)
            let (du, dut) = (dated.u, dated.ut)
            let dv = try dated.answer(challenge: y)
            #expect(verifier.accepts(identity: identity, day: day, u: du, ut: dut, y: y, v: dv) == right)
        }
    }

    @Test
    func `the points of identities are kept for their next login, and only so many`() throws {
        let token = try token(1234)
        #expect(verifier.knownIdentityCount == 0)
        for round in 0..<2 {
            let run = try session(token, 1234)
            let (u, ut) = (run.u, run.ut)
            let y = try Challenge.generate()
            let v = try run.answer(challenge: y)
            #expect(verifier.accepts(identity: identity, day: day, u: u, ut: ut, y: y, v: v))
            #expect(verifier.knownIdentityCount == 1 + round)
            // Another day and another identity have points of their own.
            #expect(!verifier.accepts(identity: identity, day: nil, u: u, ut: ut, y: y, v: v))
            #expect(verifier.knownIdentityCount == 2)
        }
        let u = try plainSession(token, 1234).u
        for number in 0..<2 * Verifier.knownIdentityLimit {
            let stranger = try Identity(mpinID: Array("\(number)".utf8))
            #expect(!verifier.accepts(identity: stranger, day: day, u: u, ut: u, y: [], v: []))
            #expect(verifier.knownIdentityCount <= Verifier.knownIdentityLimit)
        }
        // Forgotten and calculated again.
        let run = try plainSession(token, 1234)
        let commitment = run.u
        let y = try Challenge.generate()
        let v = try run.answer(challenge: y)
        #expect(verifier.accepts(identity: identity, day: nil, u: commitment, ut: nil, y: y, v: v))
    }

    /// Without the challenge, nothing of the identity is left in the equation.
    @Test
    func `a challenge of zero lets no user log in as another`() throws {
        let first = try TrustAuthority.generate()
        let second = try TrustAuthority.generate()
        let serverSecret = try Shares.recombineServer(first.serverShare(), second.serverShare())
        let verifier = try Verifier(serverSecret: serverSecret)
        let mallory = try Identity(mpinID: Array("{\"userID\":\"mallory\"}".utf8))
        let share1 = try first.clientShare(hashedID: mallory.hash)
        let share2 = try second.clientShare(hashedID: mallory.hash)
        let secret = try Shares.recombine(share1, share2)
        let factor = try PINFactor(integer: 1234)
        let token = try ClientToken.extract(identity: mallory, factor: factor, clientSecret: secret)
        func run(_ x: UInt8) throws -> ClientSession {
            let x = try Secrets.secret([UInt8](repeating: 0, count: 31) + [x])
            return try ClientSession(identity: mallory, token: token, factor: factor, x: x)
        }
        let (zero, one) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 31) + [1])
        // V = -(4 + 1) SEC answers 5 A and a challenge of zero.
        let u = try run(5).u
        let v = try run(4).answer(challenge: one)
        #expect(verifier.accepts(identity: mallory, day: nil, u: try run(4).u, ut: nil, y: one, v: v))
        // Zero, and the order of the group, which is zero modulo the order.
        let order = try Hexadecimal.bytes("2400000008702a0db0bddf647a6366d2c43fd6ee0cc906cebe11c0a636eb1f6d")
        for y in [zero, order] {
            #expect(!verifier.accepts(identity: identity, day: nil, u: u, ut: nil, y: y, v: v))
        }
    }

    @Test
    func `a run answers its own challenge, day, identity and commitment only`() throws {
        let token = try token(1234)
        let run = try session(token, 1234)
        let u = run.u
        guard let ut = run.ut else {
            Issue.record("no UT")
            return
        }
        let y = try Challenge.generate()
        let v = try run.answer(challenge: y)
        #expect(verifier.accepts(identity: identity, day: day, u: u, ut: ut, y: y, v: v))
        let another = try Challenge.generate()
        #expect(!verifier.accepts(identity: identity, day: day, u: u, ut: ut, y: another, v: v))
        #expect(!verifier.accepts(identity: identity, day: PermitDay(20_001), u: u, ut: ut, y: y, v: v))
        #expect(!verifier.accepts(identity: identity, day: nil, u: u, ut: ut, y: y, v: v))
        #expect(!verifier.accepts(identity: identity, day: day, u: u, ut: nil, y: y, v: v))
        #expect(!verifier.accepts(identity: identity, day: day, u: u, ut: u, y: y, v: v))
        #expect(!verifier.accepts(identity: identity, day: day, u: [], ut: ut, y: y, v: v))
        #expect(!verifier.accepts(identity: identity, day: day, u: u, ut: ut, y: y, v: ut))
        #expect(!verifier.accepts(identity: identity, day: day, u: u, ut: ut, y: y, v: []))
        #expect(!verifier.accepts(identity: identity, day: day, u: u, ut: ut, y: [], v: v))
        let zero = [UInt8](repeating: 0, count: 32)
        #expect(!verifier.accepts(identity: identity, day: day, u: u, ut: ut, y: zero, v: v))
        let other = try Identity(mpinID: Array("{\"userID\":\"ivan\"}".utf8))
        #expect(!verifier.accepts(identity: other, day: day, u: u, ut: ut, y: y, v: v))
    }

    @Test
    func `a challenge of 0, or one that cancels x, gets no answer`() throws {
        let token = try token(1)
        let factor = try PINFactor(integer: 1)
        var one = [UInt8](repeating: 0, count: 32)
        one[31] = 1
        var minusOne = try Hexadecimal.bytes("2400000008702a0db0bddf647a6366d2c43fd6ee0cc906cebe11c0a636eb1f6d")
        minusOne[31] -= 1
        for (y, expected) in [
            ([UInt8](repeating: 0, count: 32), CryptoError.invalidScalar), (minusOne, .infinity), ([], .invalidScalar),
        ] {
            let x = try Secrets.secret(one)
            let session = try ClientSession(identity: identity, token: token, factor: factor, x: x)
            do {
                _ = try session.answer(challenge: y)
                Issue.record("answered")
            } catch {
                #expect(error == expected)
            }
        }
    }

    @Test
    func `an x that is 0 modulo r is refused as such`() throws {
        let token = try token(1)
        let factor = try PINFactor(integer: 1)
        let order = "2400000008702a0db0bddf647a6366d2c43fd6ee0cc906cebe11c0a636eb1f6d"
        for bytes in [[UInt8](repeating: 0, count: 32), try Hexadecimal.bytes(order)] {
            let x = try Secrets.secret(bytes)
            do {
                let session = try ClientSession(identity: identity, token: token, factor: factor, x: x)
                Issue.record("begun with \(session.u)")
            } catch {
                #expect(error == .invalidScalar)
            }
        }
    }

    @Test
    func `no two runs commit to the same`() throws {
        let token = try token(1)
        let first = try plainSession(token, 1)
        let second = try plainSession(token, 1)
        let (one, other) = (first.u, second.u)
        #expect(one != other)
    }

    @Test(arguments: [Int.min, -1, 0, Int(Int32.max) + 1, Int.max])
    func days(_ number: Int) throws {
        #expect(PermitDay(number) == nil)
    }
}
