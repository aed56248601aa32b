/// The application's last word on a login.
package struct LoginResult: Sendable {
    package let authOTT: HexText
    /// 200 when the session exists.
    package let status: Int
    package let logoutURL: String?
    /// JSON text of an object.
    package let logoutData: [UInt8]?

    package init(authOTT: HexText, status: Int, logoutURL: String? = nil, logoutData: [UInt8]? = nil) {
        self.authOTT = authOTT
        self.status = status
        self.logoutURL = logoutURL
        self.logoutData = logoutData
    }

    /// The body an application sends.
    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.authOTT, authOTT)
        writer.add(.status, status)
        writer.add(.logoutURL, ifPresent: logoutURL)
        if let logoutData { writer.add(.logoutData, json: logoutData) }
        return writer.finish()
    }

    /// Reads what an application sent.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> LoginResult {
        let object = try JSONObject(body)
        let status = try object.integer(.status, in: body)
        guard 100...599 ~= status else { throw .invalid(.status) }
        return LoginResult(
            authOTT: try object.hexText(.authOTT, count: OneTimeToken.sizes, in: body), status: status,
            logoutURL: try object.optionalText(.logoutURL, in: body), logoutData: object.raw(.logoutData, in: body))
    }
}
