// SPDX-License-Identifier: Apache-2.0
import MPinWire
import Testing

/// The proof at the end of a server's answer.
@Suite struct AnswerProofTests {
    private static let signature = (0..<64).map { UInt8($0) }

    private static func answer(_ object: String) -> [UInt8] {
        let bytes = Array(object.utf8)
        guard let count = AnswerProof.signedCount(of: bytes.span) else { return [] }
        return bytes[..<count] + AnswerProof.tail(signature)
    }

    @Test(arguments: [#"{"a":1}"#, #"{"proofs":"x"}"#, #"{"a":"\"}"}"#])
    func `an answer is split into what is signed and the signature`(object: String) throws {
        let body = Self.answer(object)
        let split = AnswerProof.split(body.span)
        let (count, signature) = try #require(split)
        #expect(String(decoding: body[..<count], as: UTF8.self) == object.dropLast())
        #expect(signature == Self.signature)
        let hasMember = try JSONObject(body.span).contains(.proof, in: body.span)
        #expect(hasMember)
    }

    @Test func `every other end is no proof`() throws {
        let body = Self.answer(#"{"a":1}"#)
        let tail = body.count - 140
        for index in body.indices where index >= tail {
            for bit in 0..<8 {
                var altered = body
                altered[index] ^= 1 << UInt8(bit)
                guard let (count, signature) = AnswerProof.split(altered.span) else { continue }
                // Another digit, or the same one in upper case.
                #expect(count == tail)
                #expect(signature != Self.signature || (0x41...0x46).contains(altered[index]))
            }
        }
        for altered in [body.dropLast() + [], body + [0x20], body + [0x0A], [] + body.suffix(140), []] {
            let isSplit = AnswerProof.split(altered.span) != nil
            #expect(!isSplit)
        }
    }

    @Test(arguments: ["", "{}", "{", "[1]", "null", #"{"a":1} "#])
    func `only an object with members can be signed`(text: String) {
        let bytes = Array(text.utf8)
        let count = AnswerProof.signedCount(of: bytes.span)
        #expect(count == nil)
    }
}
