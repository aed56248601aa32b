// SPDX-License-Identifier: Apache-2.0

/// A server's answer to an ``OwnerRequest``; members that were not requested are missing.
package struct OwnerResponse: Sendable, Equatable {
    package var devices: [OwnedDevice]?
    /// An invitation, and when it expires.
    package var code: String?
    package var expires: String?
    /// New backup codes, and the number with which to confirm them.
    package var codes: [String]?
    package var batch: Int?
    /// How many backup codes are valid now.
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
        if let devices {
            var array = ByteText("[")
            for index in devices.indices {
                if index > 0 { array.append(UInt8(ascii: ",")) }
                array.append(devices[index].encode().span)
            }
            array.append(UInt8(ascii: "]"))
            writer.add(.devices, json: array.bytes)
        }
        writer.add(.code, ifPresent: code)
        writer.add(.expires, ifPresent: expires)
        if let codes { writer.add(.codes, codes) }
        writer.add(.batch, ifPresent: batch)
        writer.add(.backupCodes, ifPresent: backupCodes)
        writer.add(.count, ifPresent: count)
        writer.add(.attemptsLeft, ifPresent: attemptsLeft)
        return writer.finish()
    }

    /// Reads a server's answer.
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
