// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// A JSON object, whose members have values of several types.
package struct Members: Encodable, ExpressibleByDictionaryLiteral {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    private var members: [String: any Encodable]

    package init(dictionaryLiteral elements: (String, any Encodable)...) {
        members = Dictionary(elements) { $1 }
    }

    package subscript(name: String) -> (any Encodable)? {
        get { members[name] }
        set { members[name] = newValue }
    }

    /// A copy with the members of another object.
    package func merging(_ other: Members) -> Members {
        var copy = self
        copy.members.merge(other.members) { $1 }
        return copy
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in members { try container.encode(value, forKey: Name(stringValue: name)) }
    }

    package var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding text, numbers and flags does not fail. If it did, the caller would see an empty object.
        return String(decoding: (try? encoder.encode(self)) ?? Data("{}".utf8), as: UTF8.self)
    }
}
