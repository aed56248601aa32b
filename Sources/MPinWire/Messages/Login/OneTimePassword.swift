/// The form of a one-time password: exactly six decimal digits.
package enum OneTimePassword {
    /// The digits in ASCII, or nil for a text of another form.
    package static func digits(_ text: String) -> [UInt8]? {
        let bytes = Array(text.utf8)
        guard bytes.count == 6, bytes.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
        return bytes
    }
}
