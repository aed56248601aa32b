/// What became of a login. The HTTP status repeats ``status``.
package struct LoginCheckResponse: Sendable {
    package let status: Int
    package let message: String
    /// Empty when the handle is unknown.
    package let userID: String
    /// Nil when the handle is unknown.
    package let mpinID: HexText?
    /// Six ASCII digits.
    package let otp: [UInt8]?

    package init(status: Int, message: String, userID: String, mpinID: HexText?, otp: [UInt8]? = nil) {
        self.status = status
        self.message = message
        self.userID = userID
        self.mpinID = mpinID
        self.otp = otp
    }

    /// The body the authentication server answers with.
    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.status, status)
        writer.add(.message, message)
        writer.add(.userID, userID)
        if let mpinID { writer.add(.mpinID, mpinID) } else { writer.add(.mpinID, "") }
        if let otp { writer.add(.otp, String(decoding: otp, as: UTF8.self)) }
        return writer.finish()
    }

    /// Reads an authentication server's answer.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> LoginCheckResponse {
        let object = try JSONObject(body)
        let status = try object.integer(.status, in: body)
        guard 100...599 ~= status else { throw .invalid(.status) }
        let mpinID = try object.hexText(.mpinID, count: 0...MPinIDRecord.longest, in: body)
        return LoginCheckResponse(
            status: status, message: object.displayText(.message, in: body) ?? "",
            userID: try object.text(.userID, in: body), mpinID: mpinID.bytes.isEmpty ? nil : mpinID,
            otp: (object.displayText(.otp, in: body) as ByteText?).flatMap { OneTimePasswordFormat.digits($0) })
    }
}
