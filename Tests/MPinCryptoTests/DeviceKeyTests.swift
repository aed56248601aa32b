// SPDX-License-Identifier: Apache-2.0
import MPinCrypto
import Testing

@Suite
struct DeviceKeyTests {
    private let digest = [UInt8](repeating: 7, count: 32)

    @Test
    func `a key signs what its public half accepts, and nothing else`() throws {
        let key = try DeviceKey.generate()
        let other = try DeviceKey.generate()
        let signature = try key.sign(digest)
        let (publicKey, otherKey) = (key.publicKey, other.publicKey)
        #expect(publicKey != otherKey)
        #expect(publicKey.accepts(signature, over: digest))
        #expect(!otherKey.accepts(signature, over: digest))
        #expect(!publicKey.accepts(signature, over: [UInt8](repeating: 8, count: 32)))
        for index in signature.indices {
            var changed = signature
            changed[index] ^= 1
            #expect(!publicKey.accepts(changed, over: digest), "byte \(index)")
        }
    }

    @Test
    func `a key is the same after it was kept`() throws {
        let key = try DeviceKey.generate()
        let bytes = key.withScalar { scalar in scalar.indices.map { scalar[$0] } }
        let publicKey = key.publicKey
        let again = try DeviceKey(
            scalar: Secrets.secret(bytes), publicKey: DevicePublicKey(publicKey.bytes))
        let signature = try again.sign(digest)
        #expect(publicKey.accepts(signature, over: digest))
        #expect(throws: CryptoError.invalidScalar) {
            _ = try DeviceKey(scalar: Secrets.secret(Array(bytes.dropLast())), publicKey: publicKey)
        }
    }

    /// Zeroes, a zero beside a good number, and numbers past the order n.
    @Test
    func `numbers out of range are refused as a signature`() throws {
        let key = try DeviceKey.generate()
        let (publicKey, signature) = (key.publicKey, try key.sign(digest))
        let zero = [UInt8](repeating: 0, count: 32)
        let order: [UInt8] = try Hexadecimal.bytes("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
        let (r, s) = (Array(signature.prefix(32)), Array(signature.suffix(32)))
        for bad in [zero + zero, r + zero, zero + s, order + s, r + order, [UInt8](repeating: 255, count: 64)] {
            #expect(!publicKey.accepts(bad, over: digest))
        }
        for length in [0, 63, 65, 128] {
            #expect(!publicKey.accepts([UInt8](repeating: 1, count: length), over: digest))
        }
        #expect(!publicKey.accepts(signature, over: Array(digest.dropLast())))
        #expect(throws: CryptoError.invalidMessage) { try key.sign([]) }
    }

    @Test
    func `an invalid point is refused as a public key`() throws {
        let point = try DeviceKey.generate().publicKey.bytes
        var offCurve = point
        offCurve[64] ^= 1
        let compressed = [2 + point[64] & 1] + point[1..<33]
        let big = [4] + [UInt8](repeating: 255, count: 64)
        let origin = [4] + [UInt8](repeating: 0, count: 64)
        let hybrid = [6 + point[64] & 1] + point.dropFirst()
        for bad in [[], [0], offCurve, compressed, big, origin, hybrid, Array(point.dropLast()), point + [0]] {
            #expect(throws: CryptoError.invalidPoint) { try DevicePublicKey(bad) }
            #expect(!DevicePublicKey(kept: bad).accepts([UInt8](repeating: 1, count: 64), over: digest))
        }
    }

    /// Each field decides: no two logins that differ have the same challenge or the same digest.
    @Test
    func `every field of a direct login is signed`() throws {
        func login(
            server: [UInt8] = [1], id: [UInt8] = [2, 3], time: UInt64 = 4, u: [UInt8] = [5], purpose: [UInt8] = [6],
            argument: [UInt8] = [7]
        ) -> DirectLogin {
            DirectLogin(serverID: server, mpinID: id, time: time, u: u, purpose: purpose, argument: argument)
        }
        let logins = [
            login(), login(server: [9]), login(id: [2]), login(time: 5), login(u: [9]), login(purpose: [9]),
            login(argument: []), login(server: [1, 2], id: [3]), login(purpose: [6, 7], argument: []),
        ]
        #expect(Set(try logins.map { try $0.challenge() }).count == logins.count)
        #expect(Set(try logins.map { try $0.digest(v: [8]) }).count == logins.count)
        #expect(try login().digest(v: [8]) != login().digest(v: [9]))
        #expect(try login().digest(v: []) != login(argument: [7]).challenge())
    }
}
