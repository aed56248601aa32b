// SPDX-License-Identifier: Apache-2.0
import MPinCrypto
import Pairing

/// How far the PIN of a refused login was from the right one, as the reference's servers computed it.
///
/// Ours compute no such thing. It serves as a second judge of the verifier: its vectors tell the pairing product of a
/// refused login, where the verifier only tells that it is not 1.
struct PINError {
    /// E, the product that should have been 1; 384 bytes.
    let e: [UInt8]
    /// F, what one step of the PIN changes; 384 bytes.
    let f: [UInt8]
    /// Typed minus right, as factors; nil where there is no such number: then it was not the PIN that was wrong.
    let difference: Int?

    /// Computes it for a login: E = e(Q, V) e(sQ, W + y B), and F = e(Q, U + y A).
    ///
    /// - Parameters:
    ///   - serverSecret: both authorities' server shares together, 128 bytes.
    ///   - day: the server's day, nil for a run without time permit.
    ///   - limit: the largest difference to look for, on either side of 0.
    init(
        serverSecret: [UInt8], identity: Identity, day: PermitDay?, u: [UInt8], ut: [UInt8]?, y: [UInt8], v: [UInt8],
        limit: Int = 9999
    ) throws {
        guard let commitment = day == nil ? u : ut else { throw CryptoError.invalidPoint }
        let challenge = Scalar(reducing: y.span)
        let point = try Values.g1(identity.encodedPoint())
        let base = try day.map { day in try Values.g1(identity.encodedPoint(on: day)) } ?? point
        let claim = try Values.g1(commitment) + base.multiplied(by: challenge)
        let generator = PreparedG2(G2.generator)
        let product = AtePairing.product(
            (generator, try Values.g1(v)), (PreparedG2(try Values.g2(serverSecret)), claim))
        let step = AtePairing.value(generator, try Values.g1(u) + point.multiplied(by: challenge))
        e = product.encoded
        f = step.encoded
        difference = PINError.difference(product, step, limit: limit)
    }

    /// The difference for E and F as bytes.
    ///
    /// - Parameter limit: the largest difference to look for, on either side of 0.
    /// - Throws: ``CryptoError/invalidPoint`` for what is no pairing value: outside GT the search means nothing.
    static func difference(e: [UInt8], f: [UInt8], limit: Int = 9999) throws(CryptoError) -> Int? {
        guard let product = GT(encoded: e.span), let step = GT(encoded: f.span) else { throw .invalidPoint }
        return difference(product, step, limit: limit)
    }

    /// Finds d with E = F^-d by baby steps and giant steps (Shanks 1971).
    ///
    /// E F^limit = F^(limit - d) and limit - d = i m + j: the F^j make a table, E F^limit F^(-i m) is sought there.
    private static func difference(_ product: GT, _ step: GT, limit: Int) -> Int? {
        guard limit > 0, limit <= 1 << 24 else { return nil }
        var width = 1
        while width * width <= 2 * limit { width += 1 }
        var babies: [(key: UInt64, index: Int)] = []
        var power = GT.one
        for index in 0..<width {
            babies.append((power.key, index))
            power = power * step
        }
        babies.sort { $0.key < $1.key }
        let giant = power.conjugate
        var target = product * step.raised(to: UInt64(limit))
        for round in 0..<width {
            if let index = find(target.key, in: babies), target == step.raised(to: UInt64(index)) {
                let exponent = round * width + index
                if exponent <= 2 * limit { return limit - exponent }
            }
            target = target * giant
        }
        return nil
    }

    private static func find(_ key: UInt64, in table: [(key: UInt64, index: Int)]) -> Int? {
        var low = 0
        var high = table.count
        while low < high {
            let middle = (low + high) / 2
            if table[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low < table.count && table[low].key == key ? table[low].index : nil
    }
}
