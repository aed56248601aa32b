/// Limits of a request from an unauthenticated client, beyond ``JSONLimits``.
///
/// The reader compares each name with those before it. That is quick where names are few and lie in the body as they
/// are, and slow where a stranger writes hundreds of long ones in escapes; so this is looked at first, in one pass.
package struct RequestBounds: Sendable {
    /// Members of all objects of the body together.
    let members: Int
    /// Bytes of all names that are written with escapes.
    let escapedNames: Int

    /// For messages whose members are all the protocol's.
    package static let message = RequestBounds(members: 32, escapedNames: 0)
    /// For messages that carry an object of an application, whose names are its own.
    package static let withUserData = RequestBounds(members: 160, escapedNames: 512)

    /// Refuses a body that goes beyond. One that is not JSON may pass: the reader refuses that.
    func check(_ body: Span<UInt8>) throws(WireError) {
        var members = 0
        var escapedNames = 0
        var lastEscaped = 0
        var position = 0
        while position < body.count {
            switch body[position] {
            case UInt8(ascii: "\""): lastEscaped = Self.passText(&position, in: body)
            // Outside of texts a colon stands behind names alone.
            case UInt8(ascii: ":"):
                members += 1
                escapedNames += lastEscaped
                guard members <= self.members, escapedNames <= self.escapedNames else { throw .tooLarge }
                position += 1
            default: position += 1
            }
        }
    }

    /// Goes to behind the text at a position.
    ///
    /// - Returns: how long it is, where it is written with escapes, and otherwise zero.
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
