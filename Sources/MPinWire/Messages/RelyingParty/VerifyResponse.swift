// SPDX-License-Identifier: Apache-2.0

/// The application's answer to a registration that it does not refuse.
package struct VerifyResponse: Sendable, Equatable {
    /// Whether the identity immediately counts as verified.
    package let forceActivate: Bool

    package init(forceActivate: Bool) {
        self.forceActivate = forceActivate
    }

    /// The body of an application's answer.
    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.forceActivate, forceActivate)
        return writer.finish()
    }

    /// Reads an application's answer; an empty body does not activate.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> VerifyResponse {
        let object = try JSONObject(body, allowsEmpty: true)
        return VerifyResponse(forceActivate: try object.optionalFlag(.forceActivate, in: body) ?? false)
    }
}
