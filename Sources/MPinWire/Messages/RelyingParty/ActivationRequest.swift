// SPDX-License-Identifier: Apache-2.0

/// The application's confirmation that an identity is verified.
package struct ActivationRequest: Sendable, Equatable {
    /// 32 bytes.
    package let activateKey: HexText

    /// Reads an application's body.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> ActivationRequest {
        let object = try JSONObject(request: body)
        return ActivationRequest(activateKey: try object.hexText(.activateKey, count: 32...32, in: body))
    }
}
