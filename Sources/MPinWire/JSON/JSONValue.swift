// SPDX-License-Identifier: Apache-2.0

/// The position of a value in the body, and its kind; the content stays in the body.
package struct JSONValue: Sendable {
    package enum Kind: Sendable { case plainText, escapedText, number, yes, no, null, array, object }

    package let kind: Kind
    /// The bytes of the value; for a text, those between its quotes.
    package let range: Range<Int>

    /// Whether this is a number, true or false.
    var isPlain: Bool { kind == .number || kind == .yes || kind == .no }

    var isText: Bool { kind == .plainText || kind == .escapedText }
}
