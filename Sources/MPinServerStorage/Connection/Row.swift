// SPDX-License-Identifier: Apache-2.0

/// A row of a result.
package struct Row: Sendable, Hashable {
    let names: [String]
    let values: [StoredValue]

    init(names: [String], values: [StoredValue]) { (self.names, self.values) = (names, values) }

    /// The value of a column.
    package subscript<Value: Storable>(_ name: String) -> Value {
        get throws {
            guard let index = names.firstIndex(of: name), let value = Value(values[index]) else {
                throw ServerError.damaged("the column \(name) does not exist, or has another type")
            }
            return value
        }
    }

    /// The value of the first column; nil if it is null.
    func first<Value: Storable>(as type: Value.Type = Value.self) -> Value? { values.first.flatMap { Value($0) } }
}
