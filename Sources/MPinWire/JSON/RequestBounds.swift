// SPDX-License-Identifier: Apache-2.0

/// Limits of a request from an unauthenticated client, beyond ``JSONLimits``.
///
/// The reader compares each name with those before it. That is fast for few names without escapes, and slow if an
/// attacker writes hundreds of long names with escapes. So these bounds are checked first, in one pass.
package struct RequestBounds: Sendable {
    /// The number of members of all objects of the body together.
    let members: Int
    /// The number of bytes of all names that are written with escapes.
    let escapedNames: Int

    /// Bounds for messages that have only members of the protocol.
    package static let message = RequestBounds(members: 32, escapedNames: 0)
    /// Bounds for messages with an object of an application, which chooses the names.
    package static let withUserData = RequestBounds(members: 160, escapedNames: 512)

    /// Refuses a body beyond the bounds. A body that is not JSON may pass: the reader refuses it.
    func check(_ body: Span<UInt8>) throws(WireError) {
        var members = 0
        var escapedNames = 0
        var lastEscaped = 0
        var position = 0
        while position < body.count {
            switch body[position] {
            case UInt8(ascii: "\""): lastEscaped = Self.passText(&position, in: body)
            // Outside of texts, a colon only follows names.
            case UInt8(ascii: ":"):
                members += 1
                escapedNames += lastEscaped
                guard members <= self.members, escapedNames <= self.escapedNames else { throw .tooLarge }
                position += 1
            default: position += 1
            }
        }
    }

    /// Moves to the position after the text at a position.
    ///
    /// - Returns: the length of the text if it is written with escapes, otherwise zero.
    private static func passText(_ position: inout Int, in body: Span<UInt8>) -> Int {
        var isEscaped = false
        let start = position + 1
        position = start
        while position < body.count, body[position] != UInt8(ascii: "\"") {
            if body[position] == UInt8(ascii: "\\") {
                isEscaped = true
                position += 1
            }
            position += 1
        }
        defer { position += 1 }
        return isEscaped ? position - start : 0
    }
}

extension JSONObject {
    /// Reads the body of a request, within bounds.
    package init(
        request body: Span<UInt8>, bounds: RequestBounds = .message, allowsEmpty: Bool = false
    ) throws(WireError) {
        guard body.count <= JSONLimits.size else { throw .tooLarge }
        try bounds.check(body)
        try self.init(body, allowsEmpty: allowsEmpty)
    }
}
