// SPDX-License-Identifier: Apache-2.0

/// Redeems a user's one-time password that was typed at another application.
package struct OneTimePasswordRequest: Sendable, Equatable {
    package let userID: String
    /// Six ASCII digits; nil for anything else.
    package let password: [UInt8]?

    /// Reads a host's body.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> OneTimePasswordRequest {
        let object = try JSONObject(request: body)
        return OneTimePasswordRequest(
            userID: try object.text(.userID, in: body),
            password: OneTimePasswordFormat.digits(try object.text(.oneTimePassword, in: body)))
    }
}
