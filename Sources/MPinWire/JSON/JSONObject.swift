/// A JSON object, read strictly and within ``JSONLimits``, that knows where its members lie.
///
/// It holds ranges of the body, not copies: what is secret in a body leaves it only into a buffer of the caller's.
/// Every getter takes the body again that the object was read from. Members nobody asks for are ignored.
package struct JSONObject: Sendable {
    private let members: [JSONMember]

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
            members = try scanner.members(in: body)
        }
    }

    /// Reads an object that lies inside a body.
    init(_ body: Span<UInt8>, range: Range<Int>) throws(WireError) {
        var scanner = JSONScanner(range)
        members = try scanner.members(in: body)
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
    package func contains(_ field: Field, in body: Span<UInt8>) -> Bool { member(field, in: body) != nil }

    /// A value that must be there; null counts as not there.
    @inline(never)
    func required(_ field: Field, in body: Span<UInt8>) throws(WireError) -> JSONValue {
        guard let value = optional(field, in: body) else { throw .missing(field) }
        return value
    }

    /// A value that need not be there; null counts as not there.
    @inline(never)
    func optional(_ field: Field, in body: Span<UInt8>) -> JSONValue? {
        guard let value = member(field, in: body), value.kind != .null else { return nil }
        return value
    }

    /// The object that is a member.
    package func object(_ field: Field, in body: Span<UInt8>) throws(WireError) -> JSONObject {
        let value = try required(field, in: body)
        guard value.kind == .object else { throw .invalid(field) }
        return try JSONObject(body, range: value.range)
    }

    /// Where the objects of an array lie; an element that is none is an error.
    func objects(_ field: Field, in body: Span<UInt8>) throws(WireError) -> [Range<Int>] {
        let value = try required(field, in: body)
        guard value.kind == .array else { throw .invalid(field) }
        var scanner = JSONScanner(value.range)
        let elements = try scanner.elements(in: body)
        guard elements.allSatisfy({ $0.kind == .object }) else { throw .invalid(field) }
        return elements.map { $0.range }
    }

    /// The JSON text of a member of any type.
    package func raw(_ field: Field, in body: Span<UInt8>) -> [UInt8]? {
        guard let value = member(field, in: body) else { return nil }
        let range = value.isText ? (value.range.lowerBound - 1)..<(value.range.upperBound + 1) : value.range
        return range.map { body[$0] }
    }

    /// The value of the member of that name, whatever it is.
    func member(_ field: Field, in body: Span<UInt8>) -> JSONValue? { member(named: field.name, in: body) }

    /// The value of the member of a name that is not ours.
    @inline(never)
    func member(named name: String, in body: Span<UInt8>) -> JSONValue? {
        for member in members where JSONText.equals(member.name, name, in: body) { return member.value }
        return nil
    }

    /// The names and values of all members, for objects whose names are data.
    func entries(in body: Span<UInt8>) -> [(name: [UInt8], value: JSONValue)] {
        members.map { (JSONText.bytes($0.name, in: body), $0.value) }
    }
}
