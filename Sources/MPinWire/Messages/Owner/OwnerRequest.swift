// SPDX-License-Identifier: Apache-2.0

/// Redeems the login handle for a request that only the owner of a registration may make; an extension.
package struct OwnerRequest: Sendable, Equatable {
    package let authOTT: HexText
    package let action: OwnerAction

    package init(authOTT: HexText, action: OwnerAction) {
        self.authOTT = authOTT
        self.action = action
    }

    /// The body that a client sends: the answer to pass 2, and the request.
    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.mpinResponse, json: AuthenticateRequest.encodeResponse(authOTT))
        action.encode(to: &writer)
        return writer.finish()
    }

    /// Reads a client's body.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> OwnerRequest {
        let object = try JSONObject(request: body)
        let response = try object.object(.mpinResponse, in: body)
        return OwnerRequest(
            authOTT: try response.hexText(.authOTT, count: OneTimeToken.sizes, in: body),
            action: try OwnerAction(object, in: body))
    }
}
