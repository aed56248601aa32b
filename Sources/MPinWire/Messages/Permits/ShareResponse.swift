// SPDX-License-Identifier: Apache-2.0

/// An authority's answer with its share of a secret.
package enum ShareResponse: Sendable {
    /// Points of G1, 65 bytes.
    case clientSecret, timePermit
    /// A point of G2, ``serverSecretSize`` bytes.
    case serverSecret

    package static let serverSecretSize = 128

    private var member: MemberName {
        switch self {
        case .clientSecret: .clientSecret
        case .timePermit: .timePermit
        case .serverSecret: .serverSecret
        }
    }

    /// The body of an authority's answer.
    package func encode(share: Span<UInt8>) -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.message, "OK")
        return writer.finish(member, secret: share)
    }

    /// - Parameter share: receives the share, and has its size; zeros after an error.
    package func decode(_ body: Span<UInt8>, share: inout MutableSpan<UInt8>) throws(WireError) {
        for index in share.indices { share[index] = 0 }
        let object = try JSONObject(body)
        if case .serverSecret = self {
            guard share.count == Self.serverSecretSize else { throw .invalid(member) }
            return try object.secret(member, in: body, into: &share)
        }
        try object.secretPoint(member, in: body, into: &share)
    }
}

/// The second share of a permit as a store publishes it: plain digits, not JSON.
package enum PermitStoreBody {
    /// - Parameter share: 65 bytes.
    package static func encode(share: Span<UInt8>) -> [UInt8] { Hex.encode(share) }

    /// Reads a store's answer; white space around the digits is ignored.
    ///
    /// - Parameter share: receives the share, 65 bytes; zeros after an error.
    package static func decode(_ body: Span<UInt8>, share: inout MutableSpan<UInt8>) throws(WireError) {
        for index in share.indices { share[index] = 0 }
        guard body.count <= JSONLimits.size else { throw .tooLarge }
        var range = 0..<body.count
        while let last = range.last, isSpace(body[last]) { range.removeLast() }
        while let first = range.first, isSpace(body[first]) { range.removeFirst() }
        guard PointFormat.read(body.extracting(range), into: &share) else { throw .malformed }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
}

/// The first share of a day's permit, and the parameters that fetch the second one.
package struct TimePermitResponse: Sendable, Equatable {
    /// The day: days since 1970-01-01 UTC, above 0.
    package let date: Int
    /// SHA-256 of the M-Pin ID, 32 bytes.
    package let storageID: HexText
    /// The server's signature for the second authority: 32 bytes, or 64 if that is on another host.
    package let signature: HexText

    package init(date: Int, storageID: HexText, signature: HexText) {
        (self.date, self.storageID, self.signature) = (date, storageID, signature)
    }

    /// - Parameter share: the first share, 65 bytes.
    package func encode(share: Span<UInt8>) -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.date, date)
        writer.add(.storageID, storageID)
        writer.add(.signature, signature)
        writer.add(.message, "M-Pin Time Permit Generated")
        writer.add(.version, ProtocolVersion.version)
        return writer.finish(.timePermit, secret: share)
    }

    /// - Parameter share: receives the first share, 65 bytes; zeros after an error.
    package static func decode(
        _ body: Span<UInt8>, share: inout MutableSpan<UInt8>
    ) throws(WireError) -> TimePermitResponse {
        for index in share.indices { share[index] = 0 }
        let object = try JSONObject(body)
        let date = try object.integer(.date, in: body)
        guard 1...Int(Int32.max) ~= date else { throw .invalid(.date) }
        let signature = try object.hexText(.signature, count: 32...64, in: body)
        guard signature.text.count == 64 || signature.text.count == 128 else { throw .invalid(.signature) }
        let response = TimePermitResponse(
            date: date, storageID: try object.hexText(.storageID, count: 32...32, in: body), signature: signature)
        try object.secretPoint(.timePermit, in: body, into: &share)
        return response
    }
}
