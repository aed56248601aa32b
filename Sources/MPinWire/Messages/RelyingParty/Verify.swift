// SPDX-License-Identifier: Apache-2.0

/// Asks the application whether an identity may register.
package struct VerifyRequest: Sendable {
    package let userID: String
    package let mpinID: HexText
    package let mobile: Int
    /// The key that the application sends back once the identity is verified, 32 bytes.
    package let activateKey: HexText
    /// `YYYY-MM-DDTHH:MM:SSZ`
    package let expireTime: String
    /// Whether a registration was restarted.
    package let resend: Bool
    package let deviceName: String
    /// JSON of any type; an empty text if the client sent none.
    package let userData: [UInt8]?
    package let activateCode: String?
    /// A link that activates the registration when the user follows it; an extension.
    package let activationURL: String?

    package init(
        userID: String, mpinID: HexText, mobile: Int, activateKey: HexText, expireTime: String, resend: Bool,
        deviceName: String, userData: [UInt8]?, activateCode: String?, activationURL: String? = nil
    ) {
        self.userID = userID
        self.mpinID = mpinID
        self.mobile = mobile
        self.activateKey = activateKey
        self.expireTime = expireTime
        self.resend = resend
        self.deviceName = deviceName
        self.userData = userData
        self.activateCode = activateCode
        self.activationURL = activationURL
    }

    /// The body that the authentication server sends.
    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.userID, userID)
        writer.add(.mpinID, mpinID)
        writer.add(.mobile, mobile)
        writer.add(.activateKey, activateKey)
        writer.add(.expireTime, expireTime)
        writer.add(.resend, resend)
        writer.add(.deviceName, deviceName)
        if let userData { writer.add(.userData, json: userData) } else { writer.add(.userData, "") }
        writer.add(.activateCode, ifPresent: activateCode)
        writer.add(.activationURL, ifPresent: activationURL)
        return writer.finish()
    }

    /// Reads an authentication server's body.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> VerifyRequest {
        let object = try JSONObject(request: body, bounds: .withUserData)
        return VerifyRequest(
            userID: try object.text(.userID, in: body),
            mpinID: try object.hexText(.mpinID, count: 1...MPinIDRecord.longest, in: body),
            mobile: object.displayInteger(.mobile, in: body) ?? 0,
            activateKey: try object.hexText(.activateKey, count: 32...32, in: body),
            expireTime: try object.text(.expireTime, in: body),
            resend: object.displayFlag(.resend, default: false, in: body),
            deviceName: object.displayText(.deviceName, in: body) ?? "", userData: object.raw(.userData, in: body),
            activateCode: try object.optionalText(.activateCode, in: body),
            activationURL: try object.optionalText(.activationURL, in: body))
    }
}

/// The application's answer to a registration that it does not refuse.
package struct VerifyResponse: Sendable, Equatable {
    /// Whether the identity immediately counts as verified.
    package let forceActivate: Bool

    package init(forceActivate: Bool) {
        self.forceActivate = forceActivate
    }

    /// The body of an application's answer.
    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.forceActivate, forceActivate)
        return writer.finish()
    }

    /// Reads an application's answer; an empty body does not activate.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> VerifyResponse {
        let object = try JSONObject(body, allowsEmpty: true)
        return VerifyResponse(forceActivate: try object.optionalFlag(.forceActivate, in: body) ?? false)
    }
}
