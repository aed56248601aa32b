// SPDX-License-Identifier: Apache-2.0
import MPinCrypto
import Pairing
import Testing

@Suite
struct PrimitiveTests {
    @Test
    func `SHA-256, FIPS 180-4 examples`() throws {
        #expect(
            try Hexadecimal.text(Hash.sha256([]))
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            try Hexadecimal.text(Hash.sha256(Array("abc".utf8)))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test
    func `HMAC-SHA-256, RFC 4231 cases 1, 2 and 6`() throws {
        let cases: [(key: [UInt8], message: String, code: String)] = [
            (
                [UInt8](repeating: 0x0B, count: 20), "Hi There",
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ]
        for (key, message, code) in cases {
            let key = try Secrets.secret(key)
            let computed = try Hash.hmac(key: key, Array(message.utf8))
            #expect(Hexadecimal.text(computed) == code)
        }
    }

    @Test
    func comparison() {
        #expect(Hash.equal([], []))
        #expect(Hash.equal([1, 2], [1, 2]))
        #expect(!Hash.equal([1, 2], [1, 3]))
        #expect(!Hash.equal([1, 2], [1, 2, 3]))
        #expect(!Hash.equal([0], [0x80]))
    }

    @Test
    func `random bytes are as many as asked for, and others each time`() throws {
        #expect(try Random.bytes(0).isEmpty)
        #expect(try Random.bytes(1000).count == 1000)
        #expect(try Random.bytes(32) != Random.bytes(32))
        var secret = try SecretBytes(capacity: 32)
        try Random.fill(&secret, count: 32)
        let count = secret.count
        #expect(count == 32)
        #expect(throws: CryptoError.memoryUnavailable) { try Random.fill(&secret, count: 33) }
    }

    @Test
    func `random digits are digits, all equally likely`() throws {
        let digits = try Random.digits(100_000)
        #expect(digits.count == 100_000)
        for digit in UInt8(0x30)...0x39 {
            // 10,000 expected with a deviation of 95; ten deviations are allowed.
            #expect(abs(digits.count { $0 == digit } - 10_000) < 950)
        }
        #expect(try Random.digits(0).isEmpty)
        #expect(try Random.digits(6).count == 6)
    }

    /// A challenge is a + b lambda with a and b below 2^64, which the server's multiplication finds again.
    @Test
    func `challenges are short where the server multiplies`() throws {
        for _ in 0..<100 {
            let y = try Challenge.generate()
            let split = SplitScalar(Scalar(reducing: y.span))
            #expect(split.k1 >> 64 == 0 && split.k2 >> 64 == 0)
            #expect(!split.k1IsNegative.isSet && !split.k2IsNegative.isSet)
        }
    }

    @Test
    func `challenges and master secrets are canonical scalars`() throws {
        for _ in 0..<100 {
            let challenge = try Challenge.generate()
            #expect(Scalar.isCanonical(challenge.span).isSet)
            let authority = try TrustAuthority.generate()
            let master = authority.withMaster { Secrets.bytes($0) }
            #expect(Scalar.isCanonical(master.span).isSet)
        }
        #expect(try Challenge.generate() != Challenge.generate())
    }
}
