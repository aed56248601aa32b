/// Where a value lies in the body and what it is; the content stays where it was received.
package struct JSONValue: Sendable {
    package enum Kind: Sendable { case plainText, escapedText, number, yes, no, null, array, object }

    package let kind: Kind
    /// The bytes of the value; of a text, those between its quotes.
    package let range: Range<Int>

    /// Whether this is a number, true or false.
    var isPlain: Bool { kind == .number || kind == .yes || kind == .no }

    var isText: Bool { kind == .plainText || kind == .escapedText }
}
