// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinWire
import TestPeers
import Testing

/// The JSON reader and writer by themselves.
struct JSONTests {
    static func read(_ text: String) throws -> String {
        let body = Array(text.utf8)
        return try JSONObject(body.span).text(.message, in: body.span)
    }

    @Test(arguments: [
        ("{\"message\":\"a\"}", "a"), (" \t\r\n{ \"message\" : \"a\" } \n", "a"),
        ("{\"mess\\u0061ge\":\"\\u0041\\t\\\"\\\\\\/\"}", "A\t\"\\/"),
        ("{\"message\":\"\\ud83d\\ude00\"}", "😀"), ("{\"message\":\"\\uD83D\\uDE00\"}", "😀"),
        ("{\"message\":\"é😀\u{10FFFF}\"}", "é😀\u{10FFFF}"), ("{\"message\":\"\\u00E9\"}", "é"),
        ("{\"message\":\"\"}", ""), ("{\"a\":[1,2.5,-0,1e5,1E-2,0.1e+3],\"message\":\"x\"}", "x"),
    ])
    func accepted(_ text: String, _ content: String) throws {
        #expect(try Array(Self.read(text).utf8) == Array(content.utf8))
    }

    @Test(arguments: [
        "", " ", "null", "1", "\"x\"", "[]", "{", "}", "{]", "{}x", "{}{}", "{,}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}",
        "{\"a\" 1}", "{a:1}", "{'a':1}", "{\"a\":01}", "{\"a\":-}", "{\"a\":1.}", "{\"a\":.5}", "{\"a\":1e}",
        "{\"a\":+1}", "{\"a\":0x1}", "{\"a\":NaN}", "{\"a\":Infinity}", "{\"a\":tru}", "{\"a\":True}", "{\"a\":nul}",
        "{\"a\":\"\n\"}", "{\"a\":\"\u{0}\"}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u12\"}", "{\"a\":\"\\u12g4\"}",
        "{\"a\":\"\\ud800\"}", "{\"a\":\"\\udc00\"}", "{\"a\":\"\\ud800\\ud800\"}", "{\"a\":\"\\ud800x\"}",
        "{\"a\":\"\\udc00\\ud800\"}", "{\"a\":\"\\ud83d\\u0041\"}", "{\"a\":[1,]}", "{\"a\":[1 2]}",
        "{\"a\":1 \"b\":2}",
        "{\"a\":1}\u{0}", "\u{FEFF}{}", "{\"a\":1}//", "{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}",
        "{\"b\":{\"a\":1,\"a\":2}}", "{\"a\":\u{00A0}1}", "{\"a\":\"", "{\"a\":\"\\", "{\"a\":\"\\u",
    ])
    func refused(_ text: String) {
        let body = Array(text.utf8)
        #expect(throws: WireError.malformed) { try JSONObject(body.span) }
    }

    @Test
    func `UTF-8 that is overlong, cut, a surrogate or beyond Unicode is refused`() {
        let bad: [[UInt8]] = [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80],
            [0xE2, 0x82], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xFE],
            [0xF0, 0x9F, 0x98],
        ]
        for bytes in bad {
            let body = Array("{\"a\":\"".utf8) + bytes + Array("\"}".utf8)
            #expect(throws: WireError.malformed) { try JSONObject(body.span) }
            let name = Array("{\"".utf8) + bytes + Array("\":1}".utf8)
            #expect(throws: WireError.malformed) { try JSONObject(name.span) }
        }
    }

    @Test
    func `depth, members and size end where the limits are`() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array(
                ("{\"a\":" + String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1) + "}")
                    .utf8)
        }
        _ = try JSONObject(nested(JSONLimits.depth).span)
        #expect(throws: WireError.malformed) { try JSONObject(nested(JSONLimits.depth + 1).span) }
        #expect(throws: WireError.malformed) { try JSONObject(nested(30_000).span) }
        func members(_ count: Int) -> [UInt8] { Sample.body((0..<count).map { ("m\($0)", "1") }) }
        _ = try JSONObject(members(JSONLimits.members).span)
        #expect(throws: WireError.malformed) { try JSONObject(members(JSONLimits.members + 1).span) }
        let empty = Array("{}".utf8)
        _ = try JSONObject((empty + [UInt8](repeating: 0x20, count: JSONLimits.size - 2)).span)
        #expect(throws: WireError.tooLarge) {
            try JSONObject((empty + [UInt8](repeating: 0x20, count: JSONLimits.size - 1)).span)
        }
    }

    @Test(arguments: [
        ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min),
    ])
    func numbers(_ text: String, _ number: Int) throws {
        let body = Array("{\"date\":\(text)}".utf8)
        #expect(try JSONObject(body.span).integer(.date, in: body.span) == number)
    }

    @Test(arguments: ["9223372036854775808", "-9223372036854775809", "1.0", "1e2", "\"1\"", "true", "1E400"])
    func `not whole`(_ text: String) throws {
        let body = Array("{\"date\":\(text)}".utf8)
        #expect(throws: WireError.invalid(.date)) { try JSONObject(body.span).integer(.date, in: body.span) }
    }

    @Test
    func `a text with U+0000 is refused where a text is wanted`() throws {
        #expect(throws: WireError.invalid(.message)) { try Self.read("{\"message\":\"a\\u0000b\"}") }
    }

    @Test(arguments: ["", "a", "\"\\/", "\u{1}\u{1F}\u{7F}", "é", "😀", "Straße \u{10FFFF}", "DOM\\bob"])
    func written(_ content: String) throws {
        for escapes in [false, true] {
            var writer = JSONWriter()
            writer.add(.message, content)
            writer.add(.date, Int.min)
            writer.add(.extensions, [content, ""])
            let bytes = escapes ? writer.finishInASCII() : writer.finish()
            if escapes { #expect(bytes.allSatisfy { $0 < 0x80 }) }
            let object = try JSONObject(bytes.span)
            #expect(try object.text(.message, in: bytes.span) == ByteText(content))
            #expect(try object.integer(.date, in: bytes.span) == Int.min)
            let foundation = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
            #expect(foundation?["message"] as? String == content)
            #expect(foundation?["extensions"] as? [String] == [content, ""])
        }
    }

    @Test
    func `another reader accepts what we accept`() {
        var random = Noise(seed: 11)
        let seed = Array("{\"a\":[1,-2.5e3,true,null,{\"é\":\"\\u00e9\\n\"}],\"b\":{\"c\":\"\\ud83d\\ude00\"}}".utf8)
        var accepted = 0
        for _ in 0..<20_000 {
            var body = seed
            random.damage(&body)
            guard (try? JSONObject(body.span)) != nil else { continue }
            accepted += 1
            #expect((try? JSONSerialization.jsonObject(with: Data(body))) != nil, "\(text(body))")
        }
        #expect(accepted > 100)
    }
}
