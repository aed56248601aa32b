// SPDX-License-Identifier: Apache-2.0
import Pairing

/// A case of an oracle: an operation with the bytes of its operands and of the result, as Tests/Vectors/cases.py says.
struct OracleCase {
    /// What makes a line unreadable.
    struct Problem: Error {
        let text: String
    }

    let operation: String
    /// nil for infinity.
    let operands: [[UInt8]?]
    /// nil for infinity, and where an encoding is refused.
    let result: [UInt8]?

    init(line: ArraySlice<UInt8>) throws {
        let fields = line.split(separator: 0x20)
        guard fields.count >= 3 else { throw Problem(text: "a line of \(fields.count) fields") }
        operation = String(decoding: fields[0], as: UTF8.self)
        operands = try fields[1..<fields.count - 1].map { try OracleCase.bytes($0) }
        result = try OracleCase.bytes(fields[fields.count - 1])
    }

    private static func bytes(_ field: ArraySlice<UInt8>) throws -> [UInt8]? {
        if field.elementsEqual([0x2D]) { return nil }
        guard field.count % 2 == 0 else { throw Problem(text: "an odd number of digits") }
        return try stride(from: field.startIndex, to: field.endIndex, by: 2).map {
            try digit(field[$0]) << 4 | digit(field[$0 + 1])
        }
    }

    private static func digit(_ byte: UInt8) throws -> UInt8 {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x61...0x66: byte - 0x61 + 10
        default: throw Problem(text: "no hexadecimal digit: \(byte)")
        }
    }

    // MARK: Operands

    func bytes(_ index: Int, count: Int? = nil) throws -> [UInt8] {
        guard index < operands.count, let bytes = operands[index], count == nil || bytes.count == count else {
            throw Problem(text: "operand \(index) of \(operation)")
        }
        return bytes
    }

    func fp(_ index: Int) throws -> Fp {
        let bytes = try bytes(index, count: 32)
        return try valid(Fp.decode(bytes.span, at: 0), index)
    }

    func fp2(_ index: Int, at part: Int = 0, of count: Int = 1) throws -> Fp2 {
        let bytes = try bytes(index, count: 64 * count)
        return try Fp2(
            valid(Fp.decode(bytes.span, at: 64 * part), index), valid(Fp.decode(bytes.span, at: 64 * part + 32), index))
    }

    func fp12(_ index: Int) throws -> Fp12 { try Fp12(parts: (0..<6).map { try fp2(index, at: $0, of: 6) }) }

    func scalar(_ index: Int) throws -> Scalar {
        let bytes = try bytes(index, count: Scalar.byteCount)
        return Scalar(reducing: bytes.span)
    }

    func word(_ index: Int) throws -> UInt64 {
        try bytes(index, count: 8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    func g1(_ index: Int) throws -> G1 {
        if index < operands.count, operands[index] == nil { return Numbers.point(1) + -Numbers.point(1) }
        let bytes = try bytes(index)
        return try valid(G1.decode(bytes.span), index)
    }

    func g2(_ index: Int) throws -> G2 {
        if index < operands.count, operands[index] == nil { return G2.generator + -G2.generator }
        let bytes = try bytes(index)
        return try valid(G2.decode(bytes.span), index)
    }

    private func valid<Value>(_ decoded: (Value, valid: Mask), _ index: Int) throws -> Value {
        guard decoded.valid.isSet else { throw Problem(text: "operand \(index) of \(operation)") }
        return decoded.0
    }
}
