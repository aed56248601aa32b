/// Asks for the result of a login, by the handle that the application's client brought.
package struct LoginCheckRequest: Sendable {
    package let authOTT: HexText
    package let logoutURL: String?
    /// JSON text of an object.
    package let logoutData: [UInt8]?

    package init(authOTT: HexText, logoutURL: String? = nil, logoutData: [UInt8]? = nil) {
        self.authOTT = authOTT
        self.logoutURL = logoutURL
        self.logoutData = logoutData
    }

    /// The body an application sends.
    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.authOTT, authOTT)
        writer.add(.logoutURL, ifPresent: logoutURL)
        if let logoutData { writer.add(.logoutData, json: logoutData) }
        return writer.finish()
    }

    /// Reads what an application sent.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> LoginCheckRequest {
        let object = try JSONObject(request: body)
        return LoginCheckRequest(
            authOTT: try object.hexText(.authOTT, count: OneTimeToken.sizes, in: body),
            logoutURL: try object.optionalText(.logoutURL, in: body),
            logoutData: object.raw(.logoutData, in: body))
    }
}
