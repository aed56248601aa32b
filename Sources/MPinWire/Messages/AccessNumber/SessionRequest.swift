// SPDX-License-Identifier: Apache-2.0

/// A known host's description of a session that it opens; an extension. Other clients send no body, or one that is
/// ignored.
package struct SessionRequest: Sendable, Equatable {
    /// The account to be logged in.
    package let account: String?
    /// The requesting program, such as `sshd`.
    package let service: String?
    /// The address that the user comes from.
    package let address: String?

    /// Reads a host's body.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> SessionRequest {
        let object = try JSONObject(request: body, allowsEmpty: true)
        return SessionRequest(
            account: try object.optionalText(.account, in: body), service: try object.optionalText(.service, in: body),
            address: try object.optionalText(.address, in: body))
    }
}
