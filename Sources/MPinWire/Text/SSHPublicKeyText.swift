// SPDX-License-Identifier: Apache-2.0

/// The only form in which a login names an ssh public key: the Base64 of a blob of type `ssh-ed25519` (RFC 8709).
///
/// The blob has 51 bytes: the length and the name of the type, then the length 32 and the key. So the text has 68
/// characters without padding, and each such text is the form of exactly one blob.
package enum SSHPublicKeyText {
    /// The characters that only contain the type and the lengths.
    private static var start: StaticString { "AAAAC3NzaC1lZDI1NTE5AAAAI" }

    package static func isValid(_ text: ByteText) -> Bool {
        let bytes = text.bytes
        guard bytes.count == 68, bytes.allSatisfy({ isBase64($0) }) else { return false }
        guard ByteText(bytes.span.extracting(..<25)).matches(start) else { return false }
        // The first two bits of this character belong to the length.
        return UInt8(ascii: "A")...UInt8(ascii: "P") ~= bytes[25]
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"): true
        default: false
        }
    }
}
