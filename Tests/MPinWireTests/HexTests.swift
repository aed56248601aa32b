// SPDX-License-Identifier: Apache-2.0
import MPinWire
import Testing

/// Hexadecimal text and what is built on it.
struct HexTests {
    @Test
    func `every byte is written in lower case and read in either case`() throws {
        let all = (0...255).map { UInt8($0) }
        let text = Hex.encode(all.span)
        #expect(
            String(decoding: text, as: UTF8.self) == all.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
        #expect(Hex.decode(text.span) == all)
        let upper = Array(String(decoding: text, as: UTF8.self).uppercased().utf8)
        #expect(Hex.decode(upper.span) == all)
    }

    @Test
    func `only the 22 digits are digits`() {
        let digits = Set("0123456789abcdefABCDEF".utf8)
        for byte in UInt8.min...UInt8.max {
            #expect((Hex.decode([byte, 0x30].span) != nil) == digits.contains(byte), "\(byte)")
            #expect((Hex.decode([0x30, byte].span) != nil) == digits.contains(byte), "\(byte)")
        }
    }

    @Test
    func `a buffer is filled exactly or emptied`() {
        for (text, good) in [
            ("0102", true), ("010", false), ("01", false), ("010203", false), ("01zz", false), ("", false),
        ] {
            var bytes: [UInt8] = [9, 9]
            var span = bytes.mutableSpan
            #expect(Hex.decode(Array(text.utf8).span, into: &span) == good)
            #expect(bytes == (good ? [1, 2] : [0, 0]), "\(text)")
        }
    }

    @Test
    func `text is kept as it came, compared by what it means`() throws {
        let digits = Array("0AfF".utf8)
        let read = HexText(text: digits.span)
        let upper = try #require(read)
        #expect(upper.string == "0AfF")
        #expect(upper == HexText(bytes: [10, 255]))
        #expect(upper.hashValue == HexText(bytes: [10, 255]).hashValue)
        #expect(upper.lowercased.string == "0aff")
        let odd: [UInt8] = [0x30]
        let none = HexText(text: odd.span)
        #expect(none == nil)
    }

    @Test
    func `the order of the groups is the bound of a challenge`() {
        #expect(!ChallengeFormat.isValid(ChallengeFormat.order))
        var less = ChallengeFormat.order
        less[31] -= 1
        #expect(ChallengeFormat.isValid(less))
        #expect(!ChallengeFormat.isValid([UInt8](repeating: 0, count: 32)))
        #expect(ChallengeFormat.isValid([UInt8](repeating: 0, count: 31) + [1]))
        #expect(!ChallengeFormat.isValid([UInt8](repeating: 1, count: 31)))
        #expect(!ChallengeFormat.isValid([UInt8](repeating: 1, count: 33)))
    }

    @Test
    func `a stored permit is bare digits`() throws {
        func read(_ text: String) throws -> [UInt8] {
            let body = Array(text.utf8)
            return try Samples.withPoint(body) {
                try PermitStoreBody.decode($0, share: &$1)
                return PermitStoreBody.encode(share: $1.span)
            }
        }
        #expect(try read(" \r\n\(pointDigits)\n") == Array(pointDigits.utf8))
        for bad in [
            "", "not found", "\"\(pointDigits)\"", "{\"timePermit\":\"\(pointDigits)\"}", "03" + digits(64),
            pointDigits + "00",
        ] {
            #expect(throws: WireError.malformed) { try read(bad) }
        }
        #expect(throws: WireError.tooLarge) { try read(String(repeating: " ", count: 70_000)) }
    }
}
