// SPDX-License-Identifier: Apache-2.0
import MPinCrypto
import Testing

@Suite
struct SealedBoxTests {
    let key: [UInt8] = (0..<32).map { $0 &* 7 }
    let context = Array("master of authority 1".utf8)

    private func sealed(_ plain: [UInt8]) throws -> [UInt8] {
        let key = try Secrets.secret(key)
        let secret = try Secrets.secret(plain)
        return try SealedBox.seal(secret, key: key, context: context)
    }

    private func opened(_ sealed: [UInt8], key: [UInt8], context: [UInt8]) throws -> [UInt8] {
        let key = try Secrets.secret(key)
        let secret = try SealedBox.open(sealed, key: key, context: context)
        return Secrets.bytes(secret)
    }

    @Test(arguments: [0, 1, 16, 32, 65, 4096])
    func `sealed data opens`(_ count: Int) throws {
        let plain = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let sealed = try sealed(plain)
        #expect(sealed.count == count + SealedBox.overhead)
        #expect(try opened(sealed, key: key, context: context) == plain)
    }

    @Test
    func `every bit counts`() throws {
        let sealed = try sealed(Array("secret".utf8))
        for bit in 0..<8 * sealed.count {
            var changed = sealed
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: CryptoError.invalidSeal) { try opened(changed, key: key, context: context) }
        }
    }

    @Test
    func `key, context and length count`() throws {
        let sealed = try sealed(Array("secret".utf8))
        var other = key
        other[31] ^= 1
        #expect(throws: CryptoError.invalidSeal) { try opened(sealed, key: other, context: context) }
        #expect(throws: CryptoError.invalidSeal) { try opened(sealed, key: key, context: context + [0]) }
        #expect(throws: CryptoError.invalidSeal) { try opened(sealed, key: key, context: []) }
        #expect(throws: CryptoError.invalidSeal) { try opened(sealed, key: Array(key.dropLast()), context: context) }
        for count in 0..<sealed.count {
            #expect(throws: CryptoError.invalidSeal) {
                try opened(Array(sealed.prefix(count)), key: key, context: context)
            }
        }
        #expect(throws: CryptoError.invalidSeal) { try opened(sealed + [0], key: key, context: context) }
    }

    @Test
    func `no two seals are the same`() throws {
        #expect(try sealed([1, 2, 3]) != sealed([1, 2, 3]))
    }
}
