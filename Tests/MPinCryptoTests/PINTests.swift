// SPDX-License-Identifier: Apache-2.0
import MPinCrypto
import Pairing
import Testing

@Suite
struct PINTests {
    /// The token made of k P and a PIN is (k - alpha) P for the identity's own point P: walking over the PINs in order,
    /// each token is the one before less P.
    @Test(arguments: [(4, 1), (5, 1), (6, 997)])
    func `each PIN of a length is read as its value, so no two are the same`(_ length: Int, _ stride: Int) throws {
        let identity = try Identity(mpinID: Array("pins".utf8))
        let point = try Values.point(identity)
        let step = -point.multiplied(by: Scalar(UInt64(stride)))
        var expected = point.multiplied(by: Scalar(1 << 40))
        let secret = try Secrets.secret(Values.bytes(expected))
        var value = 0
        while String(value).count <= length {
            let text = String(repeating: "0", count: length - String(value).count) + String(value)
            let pin = try Secrets.secret(Array(text.utf8))
            let factor = try PINFactor(pin: pin, scheme: .decimal)
            let token = try ClientToken.extract(identity: identity, factor: factor, clientSecret: secret)
            guard try Values.g1(Secrets.bytes(token)).equals(expected).isSet else {
                Issue.record("\(text)")
                return
            }
            expected = expected + step
            value += stride
        }
    }

    @Test(arguments: ["000000", "000001", "010000", "099999", "100000", "123456", "999999"])
    func `six digits are read as their value`(_ text: String) throws {
        let typed = try Secrets.secret(Array(text.utf8))
        let factor = try PINFactor(pin: typed, scheme: .decimal)
        let value = try #require(UInt64(text))
        try expect(factor, value)
    }

    private func expect(_ factor: borrowing PINFactor, _ value: UInt64) throws {
        let identity = try Identity(mpinID: Array("pins".utf8))
        let point = try Values.point(identity)
        let whole = point.multiplied(by: Scalar(1 << 40))
        let secret = try Secrets.secret(Values.bytes(whole))
        let token = try ClientToken.extract(identity: identity, factor: factor, clientSecret: secret)
        #expect(try Values.g1(Secrets.bytes(token)).equals(whole + -point.multiplied(by: Scalar(value))).isSet)
    }

    @Test(arguments: [
        "", "1", "123", "1234567", "12a4", "12 4", "-123", "+123",
        "\u{FF11}\u{FF12}\u{FF13}\u{FF14}", "12.4", "0x10", "/234", ":234", "123/",
        "123:", "\u{0}123", "p234", "\u{B0}12",
    ])
    func `a PIN that is not decimal is refused`(_ text: String) throws {
        let typed = try Secrets.secret(Array(text.utf8))
        #expect(throws: CryptoError.invalidPIN) { _ = try PINFactor(pin: typed, scheme: .decimal) }
    }

    @Test(arguments: 0..<4)
    func `every byte value in every place`(_ place: Int) throws {
        for byte in UInt8.min...UInt8.max {
            var digits = Array("1234".utf8)
            digits[place] = byte
            let typed = try Secrets.secret(digits)
            let accepted: Bool
            do {
                _ = try PINFactor(pin: typed, scheme: .decimal)
                accepted = true
            } catch {
                accepted = false
            }
            #expect(accepted == (0x30...0x39).contains(byte), "byte \(byte)")
        }
    }

    @Test
    func `the hashed scheme tells texts apart, and is the hash it says`() throws {
        let texts = ["1234", "1235", "12345", "correct horse", "Correct horse", " ", "\u{0}"]
        var seen: [[UInt8]] = []
        let identity = try Identity(mpinID: Array("pins".utf8))
        let point = try Values.point(identity)
        let whole = point.multiplied(by: Scalar(3))
        let secret = try Secrets.secret(Values.bytes(whole))
        for text in texts {
            let typed = try Secrets.secret(Array(text.utf8))
            let factor = try PINFactor(pin: typed, scheme: .hashed)
            let token = try ClientToken.extract(identity: identity, factor: factor, clientSecret: secret)
            seen.append(Secrets.bytes(token))
            let digest = try Hash.sha256(Array("pam-mpin PIN factor 1\u{0}\(text)".utf8))
            let expected = whole + -point.multiplied(by: Scalar(reducing: digest.span))
            #expect(try Values.g1(seen[seen.count - 1]).equals(expected).isSet)
        }
        #expect(Set(seen).count == texts.count)
        #expect(throws: CryptoError.invalidPIN) { _ = try PINFactor(pin: SecretBytes(capacity: 4), scheme: .hashed) }
    }

    @Test
    func `names of schemes`() {
        for scheme in [PINScheme.decimal, .hashed, .mobile2016] {
            let name = scheme.name.withUTF8Buffer { unsafe Array($0) }
            #expect(PINScheme(name: name) == scheme)
        }
        for name in ["", "Decimal", "decimal ", "hash", "mobile2017"] {
            #expect(PINScheme(name: Array(name.utf8)) == nil)
        }
    }

    @Test
    func `a changed PIN opens, the old one does not`() throws {
        let identity = try Identity(mpinID: Array("pins".utf8))
        let authority = try TrustAuthority.generate()
        let secret = try authority.clientShare(hashedID: identity.hash)
        let old = try PINFactor(integer: 1234)
        let new = try PINFactor(integer: 4321)
        let token = try ClientToken.extract(identity: identity, factor: old, clientSecret: secret)
        let changed = try ClientToken.changeFactor(identity: identity, token: token, from: old, to: new)
        let direct = try ClientToken.extract(identity: identity, factor: new, clientSecret: secret)
        let same = changed.equals(direct)
        let stale = changed.equals(token)
        #expect(same)
        #expect(!stale)
    }
}
