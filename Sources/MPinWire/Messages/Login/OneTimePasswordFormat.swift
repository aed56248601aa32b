// SPDX-License-Identifier: Apache-2.0

/// The format of a one-time password: exactly six decimal digits.
package enum OneTimePasswordFormat {
    /// The digits in ASCII, or nil for a text of another form.
    package static func digits(_ text: ByteText) -> [UInt8]? {
        guard text.count == 6 else { return nil }
        for byte in text.bytes where !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte) { return nil }
        return text.bytes
    }
}
