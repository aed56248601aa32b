// SPDX-License-Identifier: Apache-2.0

/// The answer for a registration that is not revoked; an extension.
package struct DeviceStatusResponse: Sendable, Equatable {
    /// How many wrong PINs are left, 0 to 99; 0 for a blocked registration.
    package let attemptsLeft: Int

    package init(attemptsLeft: Int) {
        self.attemptsLeft = attemptsLeft
    }

    /// The body of a server's answer.
    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.attemptsLeft, attemptsLeft)
        return writer.finish()
    }

    /// Reads a server's answer.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> DeviceStatusResponse {
        let left = try JSONObject(body).integer(.attemptsLeft, in: body)
        guard 0...99 ~= left else { throw .invalid(.attemptsLeft) }
        return DeviceStatusResponse(attemptsLeft: left)
    }
}
