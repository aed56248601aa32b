// SPDX-License-Identifier: Apache-2.0

/// The first half of a login's proof: the client's commitment.
package struct PassOneRequest: Sendable, Equatable {
    package let mpinID: HexText
    /// 65 bytes.
    package let u: [UInt8]
    /// 65 bytes; nil if permits are off.
    package let ut: [UInt8]?

    package init(mpinID: HexText, u: [UInt8], ut: [UInt8]?) { (self.mpinID, self.u, self.ut) = (mpinID, u, ut) }

    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.passMPinID, mpinID)
        if let ut { writer.add(.ut, hex: ut.span) } else { writer.add(.ut, ByteText()) }
        writer.add(.u, hex: u.span)
        writer.add(.pass, 1)
        return writer.finish()
    }

    /// Reads a client's body; an empty `UT` means that permits are off.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> PassOneRequest {
        let object = try JSONObject(request: body)
        let ut = try object.required(.ut, in: body)
        return PassOneRequest(
            mpinID: try object.hexText(.passMPinID, count: 1...MPinIDRecord.longest, in: body),
            u: try object.point(.u, in: body),
            ut: ut.isText && ut.range.isEmpty ? nil : try object.point(.ut, in: body))
    }
}

/// The server's challenge.
package struct PassOneResponse: Sendable, Equatable {
    /// 32 bytes big-endian, in `[1, r-1]`.
    package let y: [UInt8]
    /// The name of this pass 1, which the client returns in pass 2; an extension.
    package let passID: HexText?

    package init(y: [UInt8], passID: HexText? = nil) {
        self.y = y
        self.passID = passID
    }

    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.y, hex: y.span)
        writer.add(.pass, 1)
        writer.add(.message, "OK")
        writer.add(.version, ProtocolVersion.version)
        if let passID { writer.add(.passID, passID) }
        return writer.finish()
    }

    /// Reads a server's answer. A challenge of 0, or not below the order of the groups, is refused.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> PassOneResponse {
        let object = try JSONObject(body)
        let y = try object.bytes(.y, count: ChallengeFormat.size, in: body)
        guard ChallengeFormat.isValid(y) else { throw .invalid(.y) }
        return PassOneResponse(y: y, passID: try object.optionalHexText(.passID, count: OneTimeToken.sizes, in: body))
    }
}
