/// The login handle; says nothing about what the result is.
package struct PassTwoResponse: Sendable, Equatable {
    package let authOTT: HexText
    /// Six ASCII digits, where a one-time password was wanted and issued.
    package let otp: [UInt8]?

    package init(authOTT: HexText, otp: [UInt8]? = nil) {
        self.authOTT = authOTT
        self.otp = otp
    }

    /// The body a server answers with.
    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.authOTT, authOTT)
        writer.add(.pass, 2)
        writer.add(.version, ProtocolVersion.version)
        if let otp { writer.add(.otp, ByteText(otp)) }
        return writer.finish()
    }

    /// Reads a server's answer. Anything but six digits is no one-time password.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> PassTwoResponse {
        let object = try JSONObject(body)
        let otp: ByteText? = object.displayText(.otp, in: body)
        return PassTwoResponse(
            authOTT: try object.hexText(.authOTT, count: OneTimeToken.sizes, in: body),
            otp: otp.flatMap { OneTimePasswordFormat.digits($0) })
    }
}
