// SPDX-License-Identifier: Apache-2.0

/// Bytes as they are written in vector files.
enum Hexadecimal {
    static func bytes(_ text: String) throws -> [UInt8] {
        if text.hasPrefix("utf8:") { return Array(text.dropFirst(5).utf8) }
        let digits = Array(text.utf8)
        guard digits.count % 2 == 0 else { throw VectorProblem("odd number of digits: \(text)") }
        return try stride(from: 0, to: digits.count, by: 2).map { try digit(digits[$0]) << 4 | digit(digits[$0 + 1]) }
    }

    static func text(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    private static func digit(_ byte: UInt8) throws -> UInt8 {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x61...0x66: byte - 0x61 + 10
        case 0x41...0x46: byte - 0x41 + 10
        default: throw VectorProblem("no hexadecimal digit: \(byte)")
        }
    }
}
