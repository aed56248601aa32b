// SPDX-License-Identifier: Apache-2.0

/// Informs a server of a device's progress with a session code, or asks who opened the session.
package struct CodeStatusRequest: Sendable {
    /// Where servers with device keys take it, below their address.
    package static var path: Constant { "/rps/codeStatus" }

    package let code: String
    /// The identity about to log in; nil while only the code was entered.
    package let userID: String?
    /// Whether to end the session without a login; an extension.
    package let denies: Bool

    /// The body that ends a session without a login.
    package static func denial(_ code: ByteText) -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.status, "denied" as ByteText)
        writer.add(.sessionID, code)
        return writer.finish()
    }

    package static func encode(_ code: ByteText, userID: ByteText?) -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.status, userID == nil ? "wid" as ByteText : "user")
        writer.add(.sessionID, code)
        writer.add(.userID, ifPresent: userID)
        return writer.finish()
    }

    package static func decode(_ body: Span<UInt8>) throws(WireError) -> CodeStatusRequest {
        let object = try JSONObject(request: body)
        let status: String = try object.text(.status, in: body)
        let code: String = try object.text(.sessionID, in: body)
        if status.utf8.elementsEqual("wid".utf8) { return CodeStatusRequest(code: code, userID: nil, denies: false) }
        if status.utf8.elementsEqual("denied".utf8) { return CodeStatusRequest(code: code, userID: nil, denies: true) }
        guard status.utf8.elementsEqual("user".utf8) else { throw .invalid(.status) }
        return CodeStatusRequest(code: code, userID: try object.text(.userID, in: body), denies: false)
    }
}
