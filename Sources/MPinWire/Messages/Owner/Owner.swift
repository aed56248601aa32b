// SPDX-License-Identifier: Apache-2.0

/// Redeems the login handle for a request that only the owner of a registration may make; an extension.
package struct OwnerRequest: Sendable, Equatable {
    package let authOTT: HexText
    package let action: OwnerAction

    package init(authOTT: HexText, action: OwnerAction) {
        self.authOTT = authOTT
        self.action = action
    }

    /// The body that a client sends: the answer to pass 2, and the request.
    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.mpinResponse, json: AuthenticateRequest.encodeResponse(authOTT))
        action.encode(to: &writer)
        return writer.finish()
    }

    package static func decode(_ body: Span<UInt8>) throws(WireError) -> OwnerRequest {
        let object = try JSONObject(request: body)
        let response = try object.object(.mpinResponse, in: body)
        return OwnerRequest(
            authOTT: try response.hexText(.authOTT, count: OneTimeToken.sizes, in: body),
            action: try OwnerAction(object, in: body))
    }
}

/// A server's answer to an ``OwnerRequest``; members that were not requested are missing.
package struct OwnerResponse: Sendable, Equatable {
    package var devices: [OwnedDevice]?
    /// An invitation, and when it expires.
    package var code: String?
    package var expires: String?
    /// New backup codes, and the number with which to confirm them.
    package var codes: [String]?
    package var batch: Int?
    package var backupCodes: Int?
    /// How many sessions were ended.
    package var count: Int?

    package init() {}

    /// The body of a server's answer: that of a login, and these members.
    package func encode(userID: String, serverID: HexText, attemptsLeft: Int? = nil) -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.status, 200)
        writer.add(.userID, userID)
        writer.add(.serverID, serverID)
        if let devices { writer.add(.devices, array: devices.map { $0.encode() }) }
        writer.add(.code, ifPresent: code)
        writer.add(.expires, ifPresent: expires)
        if let codes { writer.add(.codes, codes) }
        writer.add(.batch, ifPresent: batch)
        writer.add(.backupCodes, ifPresent: backupCodes)
        writer.add(.count, ifPresent: count)
        writer.add(.attemptsLeft, ifPresent: attemptsLeft)
        return writer.finish()
    }

    package static func decode(_ body: Span<UInt8>) throws(WireError) -> OwnerResponse {
        let object = try JSONObject(body)
        var response = OwnerResponse()
        if object.contains(.devices, in: body) {
            var devices: [OwnedDevice] = []
            for element in try object.elements(.devices, in: body) {
                guard element.kind == .object else { throw .invalid(.devices) }
                devices.append(try OwnedDevice(JSONObject(body, range: element.range), in: body))
            }
            response.devices = devices
        }
        response.code = try object.optionalText(.code, in: body)
        response.expires = try object.optionalText(.expires, in: body)
        response.codes = try object.texts(.codes, in: body)
        response.batch = try object.optionalInteger(.batch, in: body)
        response.backupCodes = try object.optionalInteger(.backupCodes, in: body)
        response.count = try object.optionalInteger(.count, in: body)
        return response
    }
}

package struct OwnedDevice: Sendable, Equatable {
    package let number: Int
    package let name: String
    /// The server's word for the device's state.
    package let state: String
    /// `YYYY-MM-DDTHH:MM:SSZ`
    package let created: String
    /// Whether this device requested the list.
    package let isCurrent: Bool

    package init(number: Int, name: String, state: String, created: String, isCurrent: Bool) {
        (self.number, self.name, self.state, self.created) = (number, name, state, created)
        self.isCurrent = isCurrent
    }

    func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.number, number)
        writer.add(.name, name)
        writer.add(.state, state)
        writer.add(.created, created)
        writer.add(.current, isCurrent)
        return writer.finish()
    }

    init(_ object: JSONObject, in body: Span<UInt8>) throws(WireError) {
        self.init(
            number: try object.integer(.number, in: body), name: object.displayText(.name, in: body) ?? "",
            state: try object.text(.state, in: body), created: object.displayText(.created, in: body) ?? "",
            isCurrent: object.displayFlag(.current, default: false, in: body))
    }
}
