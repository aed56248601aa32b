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
        (self.userID, self.mpinID, self.mobile, self.activateKey) = (userID, mpinID, mobile, activateKey)
        (self.expireTime, self.resend, self.deviceName, self.userData) = (expireTime, resend, deviceName, userData)
        (self.activateCode, self.activationURL) = (activateCode, activationURL)
    }

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
}

/// The application's answer to a registration that it does not refuse.
package struct VerifyResponse: Sendable, Equatable {
    /// Whether the identity immediately counts as verified.
    package let forceActivate: Bool

    /// Reads an application's answer; an empty body does not activate.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> VerifyResponse {
        let object = try JSONObject(body, allowsEmpty: true)
        return VerifyResponse(forceActivate: try object.optionalFlag(.forceActivate, in: body) ?? false)
    }
}

/// The application's confirmation that an identity is verified.
package struct ActivationRequest: Sendable, Equatable {
    /// 32 bytes.
    package let activateKey: HexText

    package static func decode(_ body: Span<UInt8>) throws(WireError) -> ActivationRequest {
        let object = try JSONObject(request: body)
        return ActivationRequest(activateKey: try object.hexText(.activateKey, count: 32...32, in: body))
    }
}
