// SPDX-License-Identifier: Apache-2.0
import Pairing

/// What Sources/Pairing calculates for each operation that a case can have.
enum OracleOperation {
    /// The bytes of the result; nil for infinity, and for an encoding that is refused.
    typealias Calculation = @Sendable (OracleCase) throws -> [UInt8]?

    static let all: [String: Calculation] =
        [fp, fp2, fp12, scalars, g1, g2, gt].reduce(into: [:]) { all, group in
            all.merge(group) { first, _ in first }
        }

    private static let fp: [String: Calculation] = [
        "fp.add": { try bytes($0.fp(0) + $0.fp(1)) },
        "fp.sub": { try bytes($0.fp(0) - $0.fp(1)) },
        "fp.mul": { try bytes($0.fp(0) * $0.fp(1)) },
        "fp.sqr": { try bytes($0.fp(0).squared) },
        "fp.neg": { try bytes(-$0.fp(0)) },
        "fp.double": { try bytes($0.fp(0).doubled) },
        "fp.triple": { try bytes($0.fp(0).tripled) },
        "fp.inv": { try bytes($0.fp(0).inverse) },
        "fp.odd": { try flag($0.fp(0).isOdd) },
        "fp.reduce": {
            let number = try $0.bytes(0, count: 32)
            return bytes(Fp(reducing: number.span))
        },
        "fp.decode": {
            let number = try $0.bytes(0, count: 32)
            let (element, valid) = Fp.decode(number.span, at: 0)
            return valid.isSet ? bytes(element) : nil
        },
    ]

    private static let fp2: [String: Calculation] = [
        "fp2.add": { try bytes($0.fp2(0) + $0.fp2(1)) },
        "fp2.sub": { try bytes($0.fp2(0) - $0.fp2(1)) },
        "fp2.mul": { try bytes($0.fp2(0) * $0.fp2(1)) },
        "fp2.sqr": { try bytes($0.fp2(0).squared) },
        "fp2.inv": { try bytes($0.fp2(0).inverse) },
        "fp2.neg": { try bytes(-$0.fp2(0)) },
        "fp2.conj": { try bytes($0.fp2(0).conjugate) },
        "fp2.xi": { try bytes($0.fp2(0).timesXi) },
        "fp2.scale": { try bytes($0.fp2(0).scaled(by: $0.fp(1))) },
    ]

    private static let fp12: [String: Calculation] = [
        "fp12.mul": { try bytes($0.fp12(0) * $0.fp12(1)) },
        "fp12.sqr": { try bytes($0.fp12(0).squared) },
        "fp12.cyclotomic": { try bytes($0.fp12(0).cyclotomicSquared) },
        "fp12.line": {
            var element = try $0.fp12(0)
            try element.multiply(byLine: $0.fp2(1), $0.fp2(2))
            return bytes(element)
        },
        "fp12.inv": { try bytes($0.fp12(0).inverse) },
        "fp12.frob": { try bytes($0.fp12(0).frobenius) },
        "fp12.conj": { try bytes($0.fp12(0).conjugate) },
        "fp12.pow": { try bytes($0.fp12(0).raised(to: $0.bytes(1, count: 32))) },
    ]

    private static let scalars: [String: Calculation] = [
        "scalar.reduce": { try bytes($0.scalar(0)) },
        "scalar.add": { try bytes($0.scalar(0) + $0.scalar(1)) },
        "scalar.neg": { try bytes(-$0.scalar(0)) },
        "scalar.short": { try bytes(Scalar(shortA: $0.word(0), shortB: $0.word(1))) },
        "scalar.canonical": {
            let number = try $0.bytes(0)
            return flag(Scalar.isCanonical(number.span))
        },
    ]

    private static let g1: [String: Calculation] = [
        "g1.add": { try bytes(sum($0, { try $0.g1($1) }, +)) },
        "g1.neg": { try bytes(-$0.g1(0)) },
        "g1.mul": { try bytes($0.g1(1).multiplied(by: $0.scalar(0))) },
        "g1.public": { try bytes($0.g1(1).multiplied(byPublic: $0.scalar(0))) },
        "g1.short": { try bytes($0.g1(1).multiplied(byShort: Scalar($0.word(0)))) },
        "g1.map": {
            let digest = try $0.bytes(0)
            return bytes(G1(mapping: digest.span))
        },
        "g1.decode": {
            let encoded = try $0.bytes(0)
            let (point, valid) = G1.decode(encoded.span)
            return valid.isSet ? bytes(point) : nil
        },
    ]

    private static let g2: [String: Calculation] = [
        "g2.add": { try bytes(sum($0, { try $0.g2($1) }, +)) },
        "g2.neg": { try bytes(-$0.g2(0)) },
        "g2.mul": { try bytes($0.g2(1).multiplied(by: $0.scalar(0))) },
        "g2.subgroup": { try [$0.g2(0).isInSubgroup ? 1 : 0] },
        "g2.decode": {
            let encoded = try $0.bytes(0)
            let (point, valid) = G2.decode(encoded.span)
            return valid.isSet ? bytes(point) : nil
        },
    ]

    private static let gt: [String: Calculation] = [
        "gt.pairing": { try bytes(AtePairing.value(PreparedG2($0.g2(0)), $0.g1(1)).value) },
        "gt.product": {
            let first = try (PreparedG2($0.g2(0)), $0.g1(1))
            let second = try (PreparedG2($0.g2(2)), $0.g1(3))
            return bytes(AtePairing.product(first, second).value)
        },
    ]

    /// The sum of two or three points one after the other, of four as the sum of two sums.
    private static func sum<Point>(
        _ values: OracleCase, _ point: (OracleCase, Int) throws -> Point, _ add: (Point, Point) -> Point
    ) throws -> Point {
        let points = try values.operands.indices.map { try point(values, $0) }
        if points.count == 4 { return add(add(points[0], points[1]), add(points[2], points[3])) }
        return points.dropFirst().reduce(points[0], add)
    }

    // MARK: Results

    private static func bytes(_ element: Fp) -> [UInt8] { written(32) { element.encode(into: &$0, at: 0) } }

    private static func bytes(_ element: Fp2) -> [UInt8] { bytes(element.re) + bytes(element.im) }

    private static func bytes(_ element: Fp12) -> [UInt8] { element.parts.flatMap { bytes($0) } }

    private static func bytes(_ number: Scalar) -> [UInt8] { written(Scalar.byteCount) { number.encode(into: &$0) } }

    private static func bytes(_ point: G1) -> [UInt8]? {
        var isFinite = false
        let bytes = written(G1.byteCount) { isFinite = point.encode(into: &$0).isSet }
        return isFinite ? bytes : nil
    }

    private static func bytes(_ point: G2) -> [UInt8]? {
        var isFinite = false
        let bytes = written(G2.byteCount) { isFinite = point.encode(into: &$0).isSet }
        return isFinite ? bytes : nil
    }

    private static func flag(_ mask: Mask) -> [UInt8] { [mask.isSet ? 1 : 0] }

    private static func written(_ count: Int, _ write: (inout MutableSpan<UInt8>) -> Void) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var span = bytes.mutableSpan
        write(&span)
        return bytes
    }
}
