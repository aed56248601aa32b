// SPDX-License-Identifier: Apache-2.0

/// The JSON record whose bytes are an M-Pin ID.
///
/// A server makes it once. All cryptography uses the exact bytes, so a received record is never written again; it is
/// read only for the identity inside.
package struct MPinIDRecord: Sendable {
    /// The longest M-Pin ID that clients and servers accept, in bytes.
    package static let longest = 4096

    package let userID: String
    /// 1 for a device, 0 for a browser.
    package let mobile: Int
    /// When the record was made: `YYYY-MM-DD HH:MM:SS.ffffff`, UTC; only informational.
    package let issued: String
    /// 16 random bytes, which make the M-Pin ID of each registration unique; empty if an older record is read.
    package let salt: [UInt8]

    package init(userID: String, mobile: Int, issued: String, salt: [UInt8]) {
        (self.userID, self.mobile, self.issued, self.salt) = (userID, mobile, issued, salt)
    }

    /// The bytes of the M-Pin ID; characters beyond ASCII are escaped.
    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.mobile, mobile)
        writer.add(.issued, issued)
        writer.add(.recordUserID, userID)
        writer.add(.salt, hex: salt.span)
        return writer.finishInASCII()
    }

    /// Reads the bytes of an M-Pin ID; only the identity is required.
    package static func decode(_ bytes: Span<UInt8>) throws(WireError) -> MPinIDRecord {
        guard bytes.count <= longest else { throw .tooLarge }
        let object = try JSONObject(bytes)
        let userID: String = try object.text(.recordUserID, in: bytes)
        guard !userID.utf8.isEmpty else { throw .invalid(.recordUserID) }
        let salt: HexText?
        do throws(WireError) { salt = try object.optionalHexText(.salt, count: 0...64, in: bytes) } catch { salt = nil }
        return MPinIDRecord(
            userID: userID, mobile: object.displayInteger(.mobile, in: bytes) ?? 0,
            issued: object.displayText(.issued, in: bytes) ?? "", salt: salt?.bytes ?? [])
    }
}
