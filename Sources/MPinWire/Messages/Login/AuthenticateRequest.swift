// SPDX-License-Identifier: Apache-2.0

/// Redeems the login handle: the final step.
package struct AuthenticateRequest: Sendable, Equatable {
    package let authOTT: HexText
    /// The M-Pin ID of the registration to revoke after the login; an extension.
    package let revoke: HexText?

    package init(authOTT: HexText, revoke: HexText? = nil) {
        self.authOTT = authOTT
        self.revoke = revoke
    }

    /// The body that a client sends: the answer to pass 2, without a one-time password.
    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.mpinResponse, json: AuthenticateRequest.encodeResponse(authOTT))
        if let revoke { writer.add(.revoke, revoke) }
        return writer.finish()
    }

    /// The answer to pass 2, as it is sent back.
    static func encodeResponse(_ authOTT: HexText) -> [UInt8] {
        var response = JSONWriter()
        response.add(.authOTT, authOTT)
        response.add(.version, ProtocolVersion.version)
        response.add(.pass, 2)
        return response.finish()
    }

    /// Reads a client's body. Of the answer to pass 2, only the login handle matters.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> AuthenticateRequest {
        let object = try JSONObject(request: body)
        let response = try object.object(.mpinResponse, in: body)
        return AuthenticateRequest(
            authOTT: try response.hexText(.authOTT, count: OneTimeToken.sizes, in: body),
            revoke: try object.optionalHexText(.revoke, count: 1...MPinIDRecord.longest, in: body))
    }
}
