// SPDX-License-Identifier: Apache-2.0

/// A JSON object, read strictly and within ``JSONLimits``, that knows the positions of its members.
///
/// It has ranges of the body, not copies: a secret in a body is copied only into a buffer of the caller. Every getter
/// needs the body from which the object was read. Unknown members are ignored.
package struct JSONObject: Sendable {
    /// Names and values, alternating.
    private let members: [JSONValue]

    /// An object without members.
    init() { members = [] }

    /// - Parameter allowsEmpty: whether a body of only white space counts as an object without members.
    /// - Throws: ``WireError/tooLarge`` or ``WireError/malformed``.
    package init(_ body: Span<UInt8>, allowsEmpty: Bool = false) throws(WireError) {
        guard body.count <= JSONLimits.size else { throw .tooLarge }
        if allowsEmpty && Self.isBlank(body) {
            members = []
        } else {
            var scanner = JSONScanner(0..<body.count)
            members = try scanner.parts(of: .object, in: body)
        }
    }

    /// Reads an object that is part of a body.
    package init(_ body: Span<UInt8>, range: Range<Int>) throws(WireError) {
        var scanner = JSONScanner(range)
        members = try scanner.parts(of: .object, in: body)
    }

    /// Whether a body contains only white space.
    package static func isBlank(_ body: Span<UInt8>) -> Bool {
        for index in body.indices {
            let byte = body[index]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return false }
        }
        return true
    }

    /// Whether a member exists, including null.
    package func contains(_ field: MemberName, in body: Span<UInt8>) -> Bool { member(field, in: body) != nil }

    /// The value of a required member; null counts as missing.
    @inline(never)
    func required(_ field: MemberName, in body: Span<UInt8>) throws(WireError) -> JSONValue {
        guard let value = optional(field, in: body) else { throw .missing(field) }
        return value
    }

    /// The value of an optional member; null counts as missing.
    @inline(never)
    func optional(_ field: MemberName, in body: Span<UInt8>) -> JSONValue? {
        guard let value = member(field, in: body), value.kind != .null else { return nil }
        return value
    }

    package func object(_ field: MemberName, in body: Span<UInt8>) throws(WireError) -> JSONObject {
        let value = try required(field, in: body)
        guard value.kind == .object else { throw .invalid(field) }
        return try JSONObject(body, range: value.range)
    }

    @inline(never)
    package func elements(_ field: MemberName, in body: Span<UInt8>) throws(WireError) -> [JSONValue] {
        let value = try required(field, in: body)
        guard value.kind == .array else { throw .invalid(field) }
        var scanner = JSONScanner(value.range)
        return try scanner.parts(of: .array, in: body)
    }

    @inline(never)
    package func raw(_ field: MemberName, in body: Span<UInt8>) -> [UInt8]? {
        guard let value = member(field, in: body) else { return nil }
        let range = value.isText ? (value.range.lowerBound - 1)..<(value.range.upperBound + 1) : value.range
        return ByteText(body.extracting(range)).bytes
    }

    @inline(never)
    func member(_ field: MemberName, in body: Span<UInt8>) -> JSONValue? {
        let name = field.name
        return member(in: body) { name.matches($0) }
    }

    /// The value of a member whose name is not in ``MemberName``.
    func member(named name: ByteText, in body: Span<UInt8>) -> JSONValue? {
        member(in: body) { $0.hasSameBytes(as: name.bytes.span) }
    }

    @inline(never)
    private func member(in body: Span<UInt8>, where isMeant: (Span<UInt8>) -> Bool) -> JSONValue? {
        var index = 0
        while index < members.count {
            if JSONText.withBytes(of: members[index], in: body, isMeant) { return members[index + 1] }
            index += 2
        }
        return nil
    }
}

/// The reason why a message could not be read.
///
/// It contains at most the name of a member, never its content: a body may contain a secret.
package enum WireError: Error, Equatable, Sendable {
    /// More than ``JSONLimits/size`` bytes.
    case tooLarge
    /// Not a single JSON object as in RFC 8259, or beyond the other limits.
    case malformed
    case missing(MemberName)
    /// A member is of the wrong type, length or range.
    case invalid(MemberName)
}
