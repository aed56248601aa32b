// SPDX-License-Identifier: Apache-2.0
import MPinCrypto
import Pairing

/// The values by which the reference's servers calculated how far the PIN of a refused login was from the right one.
///
/// Ours calculate no such thing. They serve as a second judge of the verifier: its vectors tell the pairing product of a
/// refused login, where the verifier only tells that it is not 1.
struct PairingValues {
    /// E = e(Q, V) e(sQ, W + y B), the product that should have been 1.
    let e: Fp12
    /// F = e(Q, U + y A), what one step of the PIN changes.
    let f: Fp12

    /// - Parameters:
    ///   - serverSecret: both authorities' server shares together, 128 bytes.
    ///   - day: the server's day, nil for a run without time permit.
    init(
        serverSecret: [UInt8], identity: Identity, day: PermitDay?, u: [UInt8], ut: [UInt8]?, y: [UInt8], v: [UInt8]
    ) throws {
        guard let commitment = day == nil ? u : ut else { throw CryptoError.invalidPoint }
        let challenge = Scalar(reducing: y.span)
        let claim = try Values.g1(commitment) + Values.point(identity, day).multiplied(by: challenge)
        let generator = PreparedG2(G2.generator)
        e =
            AtePairing.product(
                (generator, try Values.g1(v)), (PreparedG2(try Values.g2(serverSecret)), claim)
            ).value
        f = AtePairing.value(generator, try Values.g1(u) + Values.point(identity).multiplied(by: challenge)).value
    }
}
