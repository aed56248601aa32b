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

    /// Reads an authority's answer.
    ///
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
