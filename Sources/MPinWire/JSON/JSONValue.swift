/// Where a value lies in the body and what it is; the content stays where it was received.
struct JSONValue: Sendable {
    enum Kind: Sendable { case plainText, escapedText, number, yes, no, null, array, object }

    let kind: Kind
    /// The bytes of the value; of a text, those between its quotes.
    let range: Range<Int>

    var isText: Bool { kind == .plainText || kind == .escapedText }
}

/// One member of an object.
struct JSONMember: Sendable {
    let name: JSONValue
    let value: JSONValue
}
