// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// What a vector file says that the readers do not understand: always a failure, never a skip.
struct VectorProblem: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// One case of a vector file.
struct VectorCase: Sendable, CustomTestStringConvertible {
    let file: String
    let kind: String
    let index: Int
    let members: [String: JSON]

    var name: String {
        if case .string(let name)? = members["name"] { return name }
        return "case \(index)"
    }

    var testDescription: String { "\(file) \(index): \(name)" }

    /// A member that has to be there.
    func member(_ key: String) throws -> JSON {
        guard let value = members[key] else { throw VectorProblem("\(testDescription): no \(key)") }
        return value
    }

    /// The members of an object inside.
    func inside(_ key: String) throws -> VectorCase {
        guard case .object(let members) = try member(key) else { throw VectorProblem("\(key) is no object") }
        return VectorCase(file: file, kind: kind, index: index, members: members)
    }

    func text(_ key: String) throws -> String {
        guard case .string(let text) = try member(key) else { throw VectorProblem("\(key) is no text") }
        return text
    }

    func integer(_ key: String) throws -> Int {
        guard case .integer(let number) = try member(key) else { throw VectorProblem("\(key) is no integer") }
        return number
    }

    /// Bytes written in hexadecimal, or `utf8:` and text.
    func bytes(_ key: String) throws -> [UInt8] {
        try Hexadecimal.bytes(text(key))
    }

    /// Bytes, or nil for null and for a member that is not there.
    func optionalBytes(_ key: String) throws -> [UInt8]? {
        guard let value = members[key], value != .null else { return nil }
        return try bytes(key)
    }
}
