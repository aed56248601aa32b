// SPDX-License-Identifier: Apache-2.0

package struct RegisterRequest: Sendable {
    /// The identity to register; not empty.
    package var userID: String
    /// 1 for a device, 0 for a browser.
    package var mobile: Int
    package var deviceName: String?
    /// An invitation code.
    package var activateCode: String?
    /// JSON of any type for the application, passed on unchanged.
    package var userData: [UInt8]?
    /// The proof that the client started the registration it restarts.
    package var regOTT: HexText?
    /// The public half of the device key, 65 bytes; an extension.
    package var deviceKey: HexText?
    /// The proof that is sent with ``regOTT`` if the registration has a key; an extension.
    package var deviceProof: DeviceProof?
    /// The enrollment code that the client knows, instead of ``activateCode``; an extension.
    package var code: NamedCode?

    package init(
        userID: String, mobile: Int = 1, deviceName: String? = nil, activateCode: String? = nil,
        userData: [UInt8]? = nil, regOTT: HexText? = nil, deviceKey: HexText? = nil, deviceProof: DeviceProof? = nil,
        code: NamedCode? = nil
    ) {
        (self.userID, self.mobile, self.deviceName, self.activateCode) = (userID, mobile, deviceName, activateCode)
        (self.userData, self.regOTT, self.deviceKey, self.deviceProof) = (userData, regOTT, deviceKey, deviceProof)
        self.code = code
    }

    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.userID, userID)
        writer.add(.mobile, mobile)
        writer.add(.deviceName, ifPresent: deviceName)
        writer.add(.activateCode, ifPresent: activateCode)
        if let userData { writer.add(.userData, json: userData) }
        if let regOTT { writer.add(.regOTT, regOTT) }
        if let deviceKey { writer.add(.deviceKey, deviceKey) }
        if let deviceProof { deviceProof.encode(to: &writer) }
        if let code { code.encode(to: &writer) }
        return writer.finish()
    }

    /// Reads a client's body. `mobile` may be a number, a text of digits, true or false, or missing.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> RegisterRequest {
        let object = try JSONObject(request: body, bounds: .withUserData)
        let userID: String = try object.text(.userID, in: body)
        guard !userID.utf8.isEmpty else { throw .invalid(.userID) }
        let request = RegisterRequest(
            userID: userID, mobile: try mobile(object, in: body),
            deviceName: try object.optionalText(.deviceName, in: body),
            activateCode: try object.optionalText(.activateCode, in: body), userData: object.raw(.userData, in: body),
            regOTT: try object.optionalHexText(.regOTT, count: OneTimeToken.sizes, in: body),
            deviceKey: try deviceKey(object, in: body), deviceProof: try DeviceProof.decode(object, in: body),
            code: try NamedCode.decode(object, in: body))
        if request.code != nil {
            // The proof of the code names the device key, and there is only one code.
            guard request.deviceKey != nil else { throw .missing(.deviceKey) }
            guard request.activateCode == nil else { throw .invalid(.activateCode) }
        }
        return request
    }

    /// A null is malformed: a client that wants a key must not get a registration without one.
    private static func deviceKey(_ object: JSONObject, in body: Span<UInt8>) throws(WireError) -> HexText? {
        guard let value = object.member(.deviceKey, in: body) else { return nil }
        guard value.kind != .null else { throw .invalid(.deviceKey) }
        return try object.hexText(.deviceKey, count: DeviceKeyFormat.publicKey...DeviceKeyFormat.publicKey, in: body)
    }

    private static func mobile(_ object: JSONObject, in body: Span<UInt8>) throws(WireError) -> Int {
        guard let value = object.optional(.mobile, in: body) else { return 0 }
        switch value.kind {
        case .yes: return 1
        case .no: return 0
        case .number: return try object.integer(.mobile, in: body) == 0 ? 0 : 1
        case .plainText:
            switch value.range.map({ body[$0] }) {
            case [UInt8(ascii: "0")]: return 0
            case [UInt8(ascii: "1")]: return 1
            default: throw .invalid(.mobile)
            }
        default: throw .invalid(.mobile)
        }
    }
}

package struct RegisterResponse: Sendable {
    /// The identity for all further requests; it is sent back with the digits in which it was received.
    package var mpinID: HexText
    /// The client's proof that it started this registration.
    package var regOTT: HexText
    /// Whether the identity already counts as verified.
    package var active: Bool
    package var expireTime: String?
    /// The server's clock, for display.
    package var nowTime: String?
    /// The number of this registration among those of its user; an extension.
    package var device: Int?
    /// How many backup codes are left, where one was used for this; an extension.
    package var backupCodes: Int?
    /// The server's proof that it knows the code that the request named, 32 bytes; an extension.
    package var codeProof: HexText?
    /// Whether the server admits registrations by codes alone, so that every code goes back to an administrator; an
    /// extension.
    package var codesOnly = false

    package init(
        mpinID: HexText, regOTT: HexText, active: Bool, expireTime: String? = nil, nowTime: String? = nil,
        device: Int? = nil, backupCodes: Int? = nil, codeProof: HexText? = nil, codesOnly: Bool = false
    ) {
        (self.mpinID, self.regOTT, self.active, self.expireTime) = (mpinID, regOTT, active, expireTime)
        (self.nowTime, self.device, self.backupCodes, self.codeProof) = (nowTime, device, backupCodes, codeProof)
        self.codesOnly = codesOnly
    }

    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.mpinID, mpinID)
        writer.add(.regOTT, regOTT)
        writer.add(.active, active)
        writer.add(.expireTime, ifPresent: expireTime)
        writer.add(.nowTime, ifPresent: nowTime)
        writer.add(.device, ifPresent: device)
        writer.add(.backupCodes, ifPresent: backupCodes)
        if let codeProof { writer.add(.codeProof, codeProof) }
        if codesOnly { writer.add(.codesOnly, true) }
        return writer.finish()
    }

    /// Reads a server's answer. An `active` that is there but neither true nor false counts as false.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> RegisterResponse {
        let object = try JSONObject(body)
        _ = try object.required(.active, in: body)
        return RegisterResponse(
            mpinID: try object.hexText(.mpinID, count: 1...MPinIDRecord.longest, in: body),
            regOTT: try object.hexText(.regOTT, count: OneTimeToken.sizes, in: body),
            active: object.displayFlag(.active, default: false, in: body),
            expireTime: object.displayText(.expireTime, in: body), nowTime: object.displayText(.nowTime, in: body),
            device: object.displayInteger(.device, in: body),
            backupCodes: object.displayInteger(.backupCodes, in: body),
            codeProof: try object.optionalHexText(
                .codeProof, count: NamedCode.proofSize...NamedCode.proofSize, in: body),
            codesOnly: object.displayFlag(.codesOnly, default: false, in: body))
    }
}

/// An enrollment code that a client knows, without the code itself; an extension.
///
/// `CodeSecret` of MPinCrypto derives both values from the code.
package struct NamedCode: Sendable, Equatable {
    /// The length of ``name``, in bytes.
    package static let nameSize = 16
    /// The length of ``proof``, in bytes.
    package static let proofSize = 32

    package let name: HexText
    /// An HMAC under the code's key. It covers the user, the device key and the server's key.
    package let proof: HexText

    package init(name: HexText, proof: HexText) {
        self.name = name
        self.proof = proof
    }

    func encode(to writer: inout JSONWriter) {
        writer.add(.codeName, name)
        writer.add(.codeProof, proof)
    }

    /// Reads its members; nil if there is no name.
    static func decode(_ object: JSONObject, in body: Span<UInt8>) throws(WireError) -> NamedCode? {
        guard let name = try object.optionalHexText(.codeName, count: nameSize...nameSize, in: body) else { return nil }
        return NamedCode(name: name, proof: try object.hexText(.codeProof, count: proofSize...proofSize, in: body))
    }
}
