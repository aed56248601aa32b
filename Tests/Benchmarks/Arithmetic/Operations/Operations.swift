// SPDX-License-Identifier: Apache-2.0
import MPinCrypto
import Pairing

/// What is compared. The names of both checkouts' modules stand in the imports; everything else is the same source, and
/// uses only what both have.
public enum Operations {
    public typealias Operation = (name: String, times: Int, body: () throws -> Void)

    public static func all() throws -> [Operation] { try arithmetic() + logIn() }

    private static func arithmetic() -> [Operation] {
        let bytes = [UInt8]((0..<32).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) })
        let scalar = Scalar(reducing: bytes.span)
        var point = G1(mapping: bytes.span)
        var twist = G2.generator.multiplied(by: scalar)
        let generator = PreparedG2(G2.generator)
        let secret = PreparedG2(twist)
        let (first, second) = (point.multiplied(by: scalar), point)
        let infinity = point + -point
        var digest = bytes
        return [
            ("G1 multiplication, constant time", 10, { point = point.multiplied(by: scalar) }),
            ("G2 multiplication", 3, { twist = twist.multiplied(by: scalar) }),
            (
                "hash to G1, average of 64", 64,
                {
                    digest[0] &+= 1
                    digest[1] = digest[1] &* 5 &+ 1
                    point = G1(mapping: digest.span)
                }
            ),
            (
                "product of two pairings, prepared", 3,
                { if AtePairing.product((generator, first), (secret, second)) == .one { throw Wrong() } }
            ),
            (
                "final exponentiation", 3,
                { if AtePairing.product((generator, infinity), (secret, infinity)) != .one { throw Wrong() } }
            ),
        ]
    }

    private static func logIn() throws -> [Operation] {
        let authority = try TrustAuthority.generate()
        let identity = try Identity(mpinID: Array("alice@example.org".utf8))
        guard let day = PermitDay(20_000) else { throw Wrong() }
        let factor = try PINFactor(integer: 1234)
        let token = try ClientToken.extract(
            identity: identity, factor: factor, clientSecret: authority.clientShare(hashedID: identity.hash))
        let permit = try authority.permitShare(hashedID: identity.hash, day: day)
        let verifier = try Verifier(serverSecret: authority.serverShare())
        let challenge = try Challenge.generate()
        let login = Login(identity: identity, day: day, token: token, permit: permit, challenge: challenge)
        let (u, ut, v) = try login.run()
        var number: UInt64 = 0
        return [
            (
                "server check, identity known", 3,
                {
                    if !verifier.accepts(identity: identity, day: day, u: u, ut: ut, y: challenge, v: v) {
                        throw Wrong()
                    }
                }
            ),
            (
                "server check, identity new", 3,
                {
                    number += 1
                    let stranger = try Identity(mpinID: Array("\(number)@example.org".utf8))
                    if verifier.accepts(identity: stranger, day: day, u: u, ut: ut, y: challenge, v: v) {
                        throw Wrong()
                    }
                }
            ),
            ("client's arithmetic of a login", 3, { _ = try login.run() }),
        ]
    }

    struct Wrong: Error {}

    /// PIN, U, UT and V, as the module calculates them.
    private final class Login {
        let identity: Identity
        let day: PermitDay
        let token: SecretBytes
        let permit: SecretBytes
        let challenge: [UInt8]

        init(
            identity: Identity, day: PermitDay, token: consuming SecretBytes, permit: consuming SecretBytes,
            challenge: [UInt8]
        ) {
            self.identity = identity
            self.day = day
            self.token = token
            self.permit = permit
            self.challenge = challenge
        }

        func run() throws -> (u: [UInt8], ut: [UInt8]?, v: [UInt8]) {
            let factor = try PINFactor(integer: 1234)
            let session = try ClientSession(identity: identity, token: token, factor: factor, permit: permit, day: day)
            let (u, ut) = (session.u, session.ut)
            return (u, ut, try session.answer(challenge: challenge))
        }
    }
}
