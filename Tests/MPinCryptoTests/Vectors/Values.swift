// SPDX-License-Identifier: Apache-2.0
import MPinCrypto
import Pairing

/// Field and group elements from and to what vector files hold.
enum Values {
    static func bytes(_ value: JSON) throws -> [UInt8] {
        guard case .string(let text) = value else { throw VectorProblem("no text") }
        return try Hexadecimal.bytes(text)
    }

    /// A number of up to 64 digits as 32 bytes.
    static func number(_ value: JSON) throws -> [UInt8] {
        guard case .string(let text) = value, text.count <= 64 else { throw VectorProblem("no number") }
        return try Hexadecimal.bytes(String(repeating: "0", count: 64 - text.count) + text)
    }

    /// The bits of a number, the highest first.
    static func bits(_ value: JSON) throws -> [Bool] {
        try number(value).flatMap { byte in (0..<8).reversed().map { (byte >> $0) & 1 == 1 } }
    }

    static func fp(_ value: JSON) throws -> Fp {
        try fp(number(value)[...])
    }

    private static func fp(_ bytes: ArraySlice<UInt8>) throws -> Fp {
        let (element, valid) = Fp.decode(bytes.span, at: 0)
        guard valid.isSet else { throw VectorProblem("not below p") }
        return element
    }

    static func fp2(_ value: JSON) throws -> Fp2 {
        guard case .array(let parts) = value, parts.count == 2 else { throw VectorProblem("no Fp2") }
        return try Fp2(fp(parts[0]), fp(parts[1]))
    }

    static func fp4(_ value: JSON) throws -> Fp12 {
        guard case .array(let parts) = value, parts.count == 4 else { throw VectorProblem("no Fp4") }
        return try Fp12(
            Fp6(Fp2(fp(parts[0]), fp(parts[1])), .zero, .zero), Fp6(.zero, Fp2(fp(parts[2]), fp(parts[3])), .zero))
    }

    static var s: Fp12 { Fp12(.zero, Fp6(.zero, .one, .zero)) }

    /// The parts are in the order of the tower Fp4[w] / (w^3 - s) with s = w^3, which M-Pin encodes.
    static func fp12(_ value: JSON) throws -> Fp12 {
        let bytes = try bytes(value)
        guard bytes.count == 384 else { throw VectorProblem("no Fp12") }
        let parts = try stride(from: 0, to: 384, by: 64).map { place in
            try Fp2(fp(bytes[place..<place + 32]), fp(bytes[place + 32..<place + 64]))
        }
        return Fp12(Fp6(parts[0], parts[4], parts[3]), Fp6(parts[2], parts[1], parts[5]))
    }

    /// H(ID), and with a day the sum of that and its permit's point.
    static func point(_ identity: Identity, _ day: PermitDay? = nil) throws -> G1 {
        let point = G1(mapping: identity.hash.span)
        guard let day else { return point }
        let digest = try day.hash(hashedID: identity.hash)
        return point + G1(mapping: digest.span)
    }

    static func g1(_ value: JSON) throws -> G1 { try g1(bytes(value)) }

    static func g1(_ bytes: [UInt8]) throws -> G1 {
        let (point, valid) = G1.decode(bytes.span)
        guard valid.isSet else { throw VectorProblem("no G1 point") }
        return point
    }

    static func g2(_ value: JSON) throws -> G2 { try g2(bytes(value)) }

    static func g2(_ bytes: [UInt8]) throws -> G2 {
        let (point, valid) = G2.decode(bytes.span)
        guard valid.isSet else { throw VectorProblem("no point of the twist") }
        return point
    }

    static func json(_ value: Fp) -> JSON { .string(Hexadecimal.text(bytes(value))) }

    static func json(_ value: Fp2) -> JSON { .array([json(value.re), json(value.im)]) }

    /// An element of Fp4; everything outside Fp4 has to be 0.
    static func json4(_ value: Fp12) throws -> JSON {
        let outside = [value.c0.c1, value.c0.c2, value.c1.c0, value.c1.c2]
        guard outside.allSatisfy({ $0.isZero.isSet }) else { throw VectorProblem("not in Fp4") }
        return .array([value.c0.c0.re, value.c0.c0.im, value.c1.c1.re, value.c1.c1.im].map { json($0) })
    }

    static func json(_ value: Fp12) -> JSON { .string(Hexadecimal.text(bytes(value))) }

    static func json(_ value: G1) throws -> JSON { .string(Hexadecimal.text(try bytes(value))) }
    static func json(_ value: G2) throws -> JSON { .string(Hexadecimal.text(try bytes(value))) }

    static func bytes(_ value: Fp) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 32)
        var span = bytes.mutableSpan
        value.encode(into: &span, at: 0)
        return bytes
    }

    static func bytes(_ value: Fp12) -> [UInt8] {
        let (c0, c1) = (value.c0, value.c1)
        return [c0.c0, c1.c1, c1.c0, c0.c2, c0.c1, c1.c2].flatMap { bytes($0.re) + bytes($0.im) }
    }

    static func bytes(_ value: G1) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: G1.byteCount)
        var span = bytes.mutableSpan
        guard value.encode(into: &span).isSet else { throw VectorProblem("infinity") }
        return bytes
    }

    static func bytes(_ value: G2) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: G2.byteCount)
        var span = bytes.mutableSpan
        guard value.encode(into: &span).isSet else { throw VectorProblem("infinity") }
        return bytes
    }
}
