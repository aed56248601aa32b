// SPDX-License-Identifier: Apache-2.0

/// The login handle, which does not reveal the result.
package struct PassTwoResponse: Sendable, Equatable {
    package let authOTT: HexText
    /// Six ASCII digits, if a one-time password was requested and issued.
    package let otp: [UInt8]?

    package init(authOTT: HexText, otp: [UInt8]? = nil) {
        self.authOTT = authOTT
        self.otp = otp
    }

    /// The body of a server's answer.
    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.authOTT, authOTT)
        writer.add(.pass, 2)
        writer.add(.version, ProtocolVersion.version)
        if let otp { writer.add(.otp, ByteText(otp)) }
        return writer.finish()
    }

    /// Reads a server's answer. Anything but six digits counts as no one-time password.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> PassTwoResponse {
        let object = try JSONObject(body)
        let otp: ByteText? = object.displayText(.otp, in: body)
        return PassTwoResponse(
            authOTT: try object.hexText(.authOTT, count: OneTimeToken.sizes, in: body),
            otp: otp.flatMap { OneTimePasswordFormat.digits($0) })
    }
}
