// SPDX-License-Identifier: Apache-2.0

/// The proof at the end of an answer: the server's signature, which covers all bytes of the body before it; an
/// extension.
///
/// It is the last member of the object, in exactly one form: `,"proof":"`, 128 digits, `"}`. A member of the body
/// survives proxies that drop unknown headers, and old clients ignore it.
package enum AnswerProof {
    private static var start: ByteText {
        var text: ByteText = ",\""
        text.append(contentsOf: MemberName.proof.name.text)
        text.append("\":\"")
        return text
    }

    private static let digits = 2 * DeviceKeyFormat.signature

    /// The length of the proof with its name and the closing brace, in bytes.
    private static var length: Int { start.count + digits + 2 }

    /// How many bytes of a server's object are signed: all except the closing brace; nil for an object without members.
    package static func signedCount(of object: Span<UInt8>) -> Int? {
        guard object.count > 2, object[object.count - 1] == UInt8(ascii: "}") else { return nil }
        return object.count - 1
    }

    /// The bytes that replace the closing brace of a server's object.
    ///
    /// - Parameter signature: 64 bytes.
    package static func tail(_ signature: [UInt8]) -> [UInt8] {
        start.bytes + HexText(bytes: signature).digits.bytes + Array("\"}".utf8)
    }

    /// Splits an answer into the bytes that are signed and the signature; nil if the body does not end in a proof.
    ///
    /// - Returns: the number of signed bytes, from the beginning; and the signature, 64 bytes.
    package static func split(_ body: Span<UInt8>) -> (signedCount: Int, signature: [UInt8])? {
        let count = body.count - length
        guard count > 1 else { return nil }
        let (first, last) = (count + start.count, body.count - 2)
        guard ByteText(body.extracting(count..<first)) == start, body[last] == UInt8(ascii: "\""),
            body[last + 1] == UInt8(ascii: "}"), let signature = HexText(text: body.extracting(first..<last))
        else { return nil }
        return (count, signature.bytes)
    }
}
