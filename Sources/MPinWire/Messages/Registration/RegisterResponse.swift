// SPDX-License-Identifier: Apache-2.0

/// A registration that has begun.
package struct RegisterResponse: Sendable {
    /// The identity for all further requests; it is sent back with the digits in which it was received.
    package var mpinID: HexText
    /// The client's proof that it started this registration.
    package var regOTT: HexText
    /// Whether the identity already counts as verified.
    package var active: Bool
    /// When the registration lapses, for display.
    package var expireTime: String?
    /// The server's clock, for display.
    package var nowTime: String?
    /// The number of this registration among those of its user; an extension.
    package var device: Int?
    /// How many backup codes are left, where one was used for this; an extension.
    package var backupCodes: Int?
    /// The server's proof that it knows the code that the request named, 32 bytes; an extension.
    package var codeProof: HexText?

    package init(
        mpinID: HexText, regOTT: HexText, active: Bool, expireTime: String? = nil, nowTime: String? = nil,
        device: Int? = nil, backupCodes: Int? = nil, codeProof: HexText? = nil
    ) {
        self.mpinID = mpinID
        self.regOTT = regOTT
        self.active = active
        self.expireTime = expireTime
        self.nowTime = nowTime
        self.device = device
        self.backupCodes = backupCodes
        self.codeProof = codeProof
    }

    /// The body a server answers with.
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
                .codeProof, count: NamedCode.proofSize...NamedCode.proofSize, in: body))
    }
}
