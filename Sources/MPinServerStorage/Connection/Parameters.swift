// SPDX-License-Identifier: Apache-2.0

/// A value in the database. Null has the type of its column, because PostgreSQL does not guess the types of parameters.
package enum StoredValue: Sendable, Hashable {
    case integer(Int64?)
    case text(String?)
    case bytes([UInt8]?)
    /// Only in conditions. No column has this type.
    case boolean(Bool?)
}

/// A type whose values can be stored.
package protocol Storable: Sendable {
    var stored: StoredValue { get }
    /// What a parameter without a value is.
    static var null: StoredValue { get }
    /// Nil for a value of another type, and for null.
    init?(_ stored: StoredValue)
}

extension Int64: Storable {
    package var stored: StoredValue { .integer(self) }
    package static var null: StoredValue { .integer(nil) }
    package init?(_ stored: StoredValue) {
        guard case .integer(let number?) = stored else { return nil }
        self = number
    }
}

extension Int: Storable {
    package var stored: StoredValue { .integer(Int64(self)) }
    package static var null: StoredValue { .integer(nil) }
    package init?(_ stored: StoredValue) {
        guard case .integer(let number?) = stored else { return nil }
        self.init(exactly: number)
    }
}

extension Bool: Storable {
    package var stored: StoredValue { .boolean(self) }
    package static var null: StoredValue { .boolean(nil) }
    package init?(_ stored: StoredValue) {
        switch stored {
        case .boolean(let value?): self = value
        // SQLite has no other truth values.
        case .integer(let number?): self = number != 0
        default: return nil
        }
    }
}

extension String: Storable {
    package var stored: StoredValue { .text(self) }
    package static var null: StoredValue { .text(nil) }
    package init?(_ stored: StoredValue) {
        guard case .text(let text?) = stored else { return nil }
        self = text
    }
}

extension [UInt8]: Storable {
    package var stored: StoredValue { .bytes(self) }
    package static var null: StoredValue { .bytes(nil) }
    package init?(_ stored: StoredValue) {
        guard case .bytes(let bytes?) = stored else { return nil }
        self = bytes
    }
}

extension Optional: Storable where Wrapped: Storable {
    package var stored: StoredValue { map(\.stored) ?? Wrapped.null }
    package static var null: StoredValue { Wrapped.null }
    package init?(_ stored: StoredValue) { self = Wrapped(stored) }
}

/// The parameters of a statement: `?` in their order, or `:name` by their names. Names that the statement does not
/// mention are ignored.
package struct Parameters: Sendable, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    let ordered: [StoredValue]
    let named: [String: StoredValue]

    private init(ordered: [StoredValue], named: [String: StoredValue]) { (self.ordered, self.named) = (ordered, named) }

    package init(arrayLiteral values: any Storable...) { self.init(ordered: values.map(\.stored), named: [:]) }

    package init(dictionaryLiteral pairs: (String, any Storable)...) {
        self.init(ordered: [], named: Dictionary(uniqueKeysWithValues: pairs.map { ($0, $1.stored) }))
    }

    static func + (left: Parameters, right: Parameters) -> Parameters {
        Parameters(ordered: left.ordered + right.ordered, named: left.named.merging(right.named) { $1 })
    }
}
