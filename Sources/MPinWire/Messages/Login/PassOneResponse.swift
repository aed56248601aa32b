// SPDX-License-Identifier: Apache-2.0

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

    /// The body of a server's answer.
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
        return PassOneResponse(
            y: y, passID: try object.optionalHexText(.passID, count: OneTimeToken.sizes, in: body))
    }
}
