// SPDX-License-Identifier: Apache-2.0
import MPinCrypto
import Testing

extension LoginTests {
    /// A login with a PIN that is wrong by a known number, as the server judges it.
    private func wrong(by difference: Int32) throws -> PINError {
        let mine = try ClientToken.extract(
            identity: identity, factor: PINFactor(integer: 1234), clientSecret: Secrets.secret(clientSecret))
        let session = try ClientSession(
            identity: identity, token: mine, factor: PINFactor(integer: 1234 + difference))
        let y = try Challenge.generate()
        let u = session.u
        return try PINError(
            serverSecret: serverSecret, identity: identity, day: nil, u: u, ut: nil, y: y,
            v: try session.answer(challenge: y))
    }

    @Test
    func `how far a PIN was from the right one is found in pairing values alone`() throws {
        let error = try wrong(by: 7)
        #expect(error.difference == 7)
        #expect(try PINError.difference(e: error.e, f: error.f) == 7)
        // Elements of the field that no pairing has: zero, and a value with another last coordinate.
        let zero = [UInt8](repeating: 0, count: 384)
        var other = error.e
        other[383] ^= 1
        for bad in [zero, other] {
            #expect(throws: CryptoError.invalidPoint) { try PINError.difference(e: bad, f: error.f) }
            #expect(throws: CryptoError.invalidPoint) { try PINError.difference(e: error.e, f: bad) }
        }
    }
}
