// SPDX-License-Identifier: Apache-2.0
import CBenchmark
import MPinCrypto
import Pairing

/// The arithmetic, beside OpenSSL's on the same curve.
enum CryptoRows {
    static func measure(_ report: inout Report) throws {
        let bytes = [UInt8]((0..<32).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) })
        let scalar = Scalar(reducing: bytes.span)
        var point = G1(mapping: bytes.span)

        let client = try Client()
        let (identity, day, challenge) = (client.identity, client.day, client.challenge)
        let verifier = client.verifier
        let (u, ut, v) = try client.logIn()
        var isRight = true
        var hasOpenSSL = mpin_openssl_multiply(1) == 0

        let minima = try Stopwatch.minima([
            (10, { point = point.multiplied(by: scalar) }),
            (4, { hasOpenSSL = hasOpenSSL && mpin_openssl_multiply(1) == 0 }),
            (
                3,
                {
                    isRight =
                        verifier.accepts(identity: identity, day: day, u: u, ut: ut, y: challenge, v: v) && isRight
                }
            ),
            (3, { _ = try client.logIn() }),
        ])
        // The compiler might drop a multiplication without a use; a wrong result might be quick.
        let product = point.multiplied(by: scalar)
        let same = (product + product).equals((point + point).multiplied(by: scalar))
        guard isRight, same.isSet else { throw Failure("the arithmetic is wrong") }
        let (g1, openSSL, check, login) = (minima[0], minima[1], minima[2], minima[3])

        if hasOpenSSL {
            report.rows.append(
                Row(
                    "crypto", "G1 multiplication, constant time", g1 / openSSL, "x OpenSSL", .atMost(0.25),
                    beside: "\(Text.number(g1)) us; OpenSSL EC_POINT_mul \(Text.number(openSSL)) us"))
        } else {
            report.left.append("OpenSSL's multiplication: there is no libcrypto.so.3")
        }
        report.rows.append(
            Row(
                "crypto", "server check of one login", check, "us", .atMost(750),
                beside: "\(Text.number(check / g1)) G1 multiplications"))
        report.rows.append(
            Row(
                "crypto", "client's arithmetic of one login", login, "us", .atMost(1_000),
                beside: "\(Text.number(login / g1)) G1 multiplications; PIN, U, UT, V with a time permit"))
    }

    /// What a login calculates with.
    private final class Client {
        let identity: Identity
        let day: PermitDay
        let challenge: [UInt8]
        let verifier: Verifier
        private let token: SecretBytes
        private let permit: SecretBytes

        init() throws {
            let authority = try TrustAuthority.generate()
            identity = try Identity(mpinID: Array("alice@example.org".utf8))
            guard let day = PermitDay(20_000) else { throw CryptoError.invalidDate }
            self.day = day
            let secret = try authority.clientShare(hashedID: identity.hash)
            let factor = try Client.factor()
            token = try ClientToken.extract(identity: identity, factor: factor, clientSecret: secret)
            permit = try authority.permitShare(hashedID: identity.hash, day: day)
            verifier = try Verifier(serverSecret: authority.serverShare())
            challenge = try Challenge.generate()
        }

        /// PIN, U, UT and V, as the module calculates them after Enter.
        func logIn() throws -> (u: [UInt8], ut: [UInt8]?, v: [UInt8]) {
            let factor = try Client.factor()
            let session = try ClientSession(
                identity: identity, token: token, factor: factor, permit: permit, day: day)
            let (u, ut) = (session.u, session.ut)
            return (u, ut, try session.answer(challenge: challenge))
        }

        private static func factor() throws -> PINFactor {
            var pin = try SecretBytes(capacity: 4)
            pin.withMutableBytes(count: 4) { for index in 0..<4 { $0[index] = 0x31 + UInt8(index) } }
            return try PINFactor(pin: pin, scheme: .decimal)
        }
    }
}
