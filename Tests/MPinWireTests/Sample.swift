// SPDX-License-Identifier: Apache-2.0
import MPinWire
import Testing

/// A message as a peer sends it, member by member, so that tests can take members away and spoil them.
struct Sample: Sendable, CustomTestStringConvertible {
    let name: String
    /// Names and their values as JSON text.
    let members: [(name: String, value: String)]
    /// The required members, and values to refuse in addition to those that no member may have.
    let required: [String: [String]]
    /// Reads a body and writes what was understood.
    let echo: @Sendable ([UInt8]) throws -> [UInt8]

    var testDescription: String { name }

    /// The body as a peer would send it, spread over lines as the clients of 2016 do.
    var body: [UInt8] { Self.body(members) }

    static func body(_ members: [(name: String, value: String)]) -> [UInt8] {
        Array("{\n\(members.map { "\t\"\($0.name)\" : \($0.value)" }.joined(separator: ",\n"))\n}\n".utf8)
    }

    func body(without name: String) -> [UInt8] { Self.body(members.filter { $0.name != name }) }

    func body(replacing name: String, by value: String) -> [UInt8] {
        Self.body(members.map { $0.name == name ? (name, value) : $0 })
    }
}

/// Values that a member of a certain kind must not have.
enum Wrong {
    static let anything = ["null", "[]", "{}", "1.5", "-3"]
    static let text = ["true"]
    static let hash = [
        "\"\"", "\"0\"", "\"zz\"", "true", "\"\(digits(31))\"", "\"\(digits(33))\"", "\"\(digits(32))0\"",
    ]
    static let token = ["\"\"", "\"0\"", "\"zz\"", "true", "\"\(digits(65))\"", "\"é\"", "\"\\u0061b\""]
    static let point = [
        "\"\"", "\"04\"", "true", "\"04\(digits(63))\"", "\"04\(digits(65))\"", "\"02\(digits(64))\"",
        "\"04\(digits(64))0\"", "\" 04\(digits(64))\"", "\"04\(digits(63))zz\"", "\"\\u0030\\u0034\(digits(64))\"",
    ]
}

/// The digits of some bytes that differ from each other.
func digits(_ count: Int) -> String {
    (0..<count).map { index in
        let digits = Array("0123456789abcdef")
        return "\(digits[index / 16 % 16])\(digits[index % 16])"
    }.joined()
}

/// A point's digits.
let pointDigits = "04" + digits(64)

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
