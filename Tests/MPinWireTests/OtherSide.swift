// SPDX-License-Identifier: Apache-2.0
import MPinWire

// The side of a message that no program of ours is: hosts, applications and browsers. The tests of a message read what
// they have written.

extension AccessNumberResponse {
    /// Reads a server's answer.
    static func decode(_ body: Span<UInt8>) throws(WireError) -> AccessNumberResponse {
        let object = try JSONObject(body)
        let name: Name
        if let number: String = try object.optionalText(.accessNumber, in: body) {
            name = .number(number)
        } else {
            name = .url(try object.text(.qrURL, in: body))
        }
        let ttlSeconds = try object.integer(.ttlSeconds, in: body)
        guard 1...86_400 ~= ttlSeconds else { throw .invalid(.ttlSeconds) }
        return AccessNumberResponse(
            name: name, webOTT: try object.hexText(.webOTT, count: OneTimeToken.sizes, in: body),
            ttlSeconds: ttlSeconds, startMilliseconds: object.displayInteger(.localTimeStart, in: body) ?? 0)
    }
}

extension AccessPollRequest {
    /// The body that the waiting side sends.
    func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.webOTT, webOTT)
        return writer.finish()
    }
}

extension AccessPollResponse {
    /// Reads a server's answer. Older servers send only the login handle, once there is one.
    static func decode(_ body: Span<UInt8>) throws(WireError) -> AccessPollResponse {
        let object = try JSONObject(body)
        guard let status: String = try object.optionalText(.status, in: body) else {
            return .authenticated(try object.hexText(.authOTT, count: OneTimeToken.sizes, in: body))
        }
        switch ["new", "wid", "user", "authenticate", "expired"].firstIndex(of: status) {
        case 0: return .new
        case 1: return .entered
        case 2: return .user(object.displayText(.userID, in: body) ?? "")
        case 3: return .authenticated(try object.hexText(.authOTT, count: OneTimeToken.sizes, in: body))
        case 4: return object.displayFlag(.denied, default: false, in: body) ? .denied : .expired
        default: throw .invalid(.status)
        }
    }
}

extension SessionRequest {
    /// The body that a host sends.
    func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.account, ifPresent: account)
        writer.add(.service, ifPresent: service)
        writer.add(.address, ifPresent: address)
        return writer.finish()
    }
}

extension CodeStatusRequest {
    /// The body that a device sends.
    func encode() -> [UInt8] {
        denies ? Self.denial(ByteText(code)) : Self.encode(ByteText(code), userID: userID.map { ByteText($0) })
    }
}

extension ActivationRequest {
    /// The body that an application sends.
    func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.activateKey, activateKey)
        return writer.finish()
    }
}

extension OneTimePasswordRequest {
    /// The body that a host sends.
    func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.userID, userID)
        writer.add(.oneTimePassword, String(decoding: password ?? [], as: UTF8.self))
        return writer.finish()
    }
}

extension UserAnswer {
    /// Reads a server's answer.
    static func decode(_ body: Span<UInt8>) throws(WireError) -> UserAnswer {
        let object = try JSONObject(body)
        return UserAnswer(
            userID: try object.text(.userID, in: body), deviceName: try object.optionalText(.deviceName, in: body),
            created: try object.optionalInteger(.created, in: body))
    }
}

extension VerifyRequest {
    /// Reads an authentication server's body.
    static func decode(_ body: Span<UInt8>) throws(WireError) -> VerifyRequest {
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

extension VerifyResponse {
    /// The body of an application's answer.
    func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.forceActivate, forceActivate)
        return writer.finish()
    }
}
