/// A JSON object, read strictly and within ``JSONLimits``, that knows where its members lie.
///
/// It holds ranges of the body, not copies: what is secret in a body leaves it only into a buffer of the caller's.
/// Every getter takes the body again that the object was read from. Unknown members are ignored.
package struct JSONObject: Sendable {
    /// Names and values by turns.
    private let members: [JSONValue]

    /// An object without members.
    init() {
        members = []
    }

    /// Reads a body.
    ///
    /// - Parameter allowsEmpty: whether a body of nothing but white space stands for an object without members.
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

    /// Reads an object that lies inside a body.
    package init(_ body: Span<UInt8>, range: Range<Int>) throws(WireError) {
        var scanner = JSONScanner(range)
        members = try scanner.parts(of: .object, in: body)
    }

    /// Whether a body holds nothing but white space.
    package static func isBlank(_ body: Span<UInt8>) -> Bool {
        for index in body.indices {
            let byte = body[index]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return false }
        }
        return true
    }

    /// Whether a member is there, null included.
    package func contains(_ field: MemberName, in body: Span<UInt8>) -> Bool { member(field, in: body) != nil }

    /// A value that must be there; null counts as not there.
    @inline(never)
    func required(_ field: MemberName, in body: Span<UInt8>) throws(WireError) -> JSONValue {
        guard let value = optional(field, in: body) else { throw .missing(field) }
        return value
    }

    /// A value that need not be there; null counts as not there.
    @inline(never)
    func optional(_ field: MemberName, in body: Span<UInt8>) -> JSONValue? {
        guard let value = member(field, in: body), value.kind != .null else { return nil }
        return value
    }

    /// The object that is a member.
    package func object(_ field: MemberName, in body: Span<UInt8>) throws(WireError) -> JSONObject {
        let value = try required(field, in: body)
        guard value.kind == .object else { throw .invalid(field) }
        return try JSONObject(body, range: value.range)
    }

    /// The elements of an array.
    @inline(never)
    package func elements(_ field: MemberName, in body: Span<UInt8>) throws(WireError) -> [JSONValue] {
        let value = try required(field, in: body)
        guard value.kind == .array else { throw .invalid(field) }
        var scanner = JSONScanner(value.range)
        return try scanner.parts(of: .array, in: body)
    }

    /// The JSON text of a member of any type.
    @inline(never)
    package func raw(_ field: MemberName, in body: Span<UInt8>) -> [UInt8]? {
        guard let value = member(field, in: body) else { return nil }
        let range = value.isText ? (value.range.lowerBound - 1)..<(value.range.upperBound + 1) : value.range
        return ByteText(body.extracting(range)).bytes
    }

    /// The value of the member of that name, whatever it is.
    @inline(never)
    func member(_ field: MemberName, in body: Span<UInt8>) -> JSONValue? {
        let name = field.name
        return member(in: body) { name.matches($0) }
    }

    /// The value of the member of a name that is not ours.
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
