// SPDX-License-Identifier: Apache-2.0

/// The second half of a login's proof: the client answers the challenge.
package struct PassTwoRequest: Sendable {
    package let mpinID: HexText
    /// 65 bytes.
    package let v: [UInt8]
    /// The access number or session code this login is for; nil for an ordinary login.
    package let session: ByteText?
    /// Whether a one-time password is requested.
    package let wantsOTP: Bool
    /// The pass 1 that is being answered; nil with servers that did not name it.
    package let passID: HexText?

    package init(mpinID: HexText, v: [UInt8], session: ByteText? = nil, wantsOTP: Bool = false, passID: HexText? = nil)
    {
        (self.mpinID, self.v, self.session, self.wantsOTP) = (mpinID, v, session, wantsOTP)
        self.passID = passID
    }

    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.passMPinID, mpinID)
        writer.add(.v, hex: v.span)
        writer.add(.wid, session ?? "0" as ByteText)
        writer.add(.otp, wantsOTP)
        writer.add(.pass, 2)
        if let passID { writer.add(.passID, passID) }
        return writer.finish()
    }

    /// Reads a client's body. `WID` may be missing, empty or zero; `OTP` may be missing, a flag, 0 or 1.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> PassTwoRequest {
        let object = try JSONObject(request: body)
        return PassTwoRequest(
            mpinID: try object.hexText(.passMPinID, count: 1...MPinIDRecord.longest, in: body),
            v: try object.point(.v, in: body), session: try session(object, in: body),
            wantsOTP: try wantsOTP(object, in: body),
            passID: try object.optionalHexText(.passID, count: OneTimeToken.sizes, in: body))
    }

    private static func session(_ object: JSONObject, in body: Span<UInt8>) throws(WireError) -> ByteText? {
        guard let value = object.optional(.wid, in: body) else { return nil }
        if value.kind == .number {
            guard try object.integer(.wid, in: body) == 0 else { throw .invalid(.wid) }
            return nil
        }
        let text: ByteText = try object.text(.wid, in: body)
        if text.isEmpty || text.matches("0") { return nil }
        guard isCode(text) else { throw .invalid(.wid) }
        return text
    }

    /// Whether a text has the form of an access number or a session code.
    static func isCode(_ text: ByteText) -> Bool {
        1...64 ~= text.count
            && text.bytes.allSatisfy {
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20
                    || $0 == UInt8(ascii: "-")
            }
    }

    private static func wantsOTP(_ object: JSONObject, in body: Span<UInt8>) throws(WireError) -> Bool {
        guard let value = object.optional(.otp, in: body) else { return false }
        switch value.kind {
        case .yes: return true
        case .no: return false
        case .number:
            switch try object.integer(.otp, in: body) {
            case 0: return false
            case 1: return true
            default: throw .invalid(.otp)
            }
        default: throw .invalid(.otp)
        }
    }
}

/// The login handle, which does not reveal the result.
package struct PassTwoResponse: Sendable, Equatable {
    package let authOTT: HexText
    /// Six ASCII digits, if a one-time password was requested and issued.
    package let otp: [UInt8]?

    package init(authOTT: HexText, otp: [UInt8]? = nil) {
        self.authOTT = authOTT
        self.otp = otp
    }

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
