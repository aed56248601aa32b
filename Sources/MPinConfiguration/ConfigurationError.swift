// SPDX-License-Identifier: Apache-2.0
package import MPinWire

/// An error in a configuration, and where it is.
///
/// It repeats nothing of the text except a key that looks like one, so that a log shows nothing of a file that was
/// named by mistake.
package struct ConfigurationError: Error, Sendable {
    /// Behind a reference, because every step of reading passes faults on.
    final class Storage: Sendable {
        /// The file; nil for an argument, or for no particular place.
        let file: ByteText?
        /// The number of the line or argument; 0 for none.
        let number: Int
        let option: ConfigurationOption?
        let reason: ByteText
        let kind: Kind

        init(_ position: Position, _ option: ConfigurationOption?, _ reason: ByteText, _ kind: Kind) {
            (file, number, self.option, self.reason, self.kind) = (position.file, position.number, option, reason, kind)
        }
    }

    /// What programs need to know about a fault.
    package enum Kind: Sendable {
        /// This process may not read the file, which may be valid.
        case notPermitted
        /// This process lacks the resources to read the file, which may be valid.
        case shortage
        case missing
        /// A line is neither a section nor a setting.
        case malformedLine
        /// An unknown key; `unnamedKey` if the reason does not repeat it.
        case unknownKey, unnamedKey
        case wrongSection
        case other
    }

    let storage: Storage

    @inline(never)
    init(_ position: Position, _ reason: Constant, _ option: ConfigurationOption? = nil, kind: Kind = .other) {
        storage = Storage(position, option, reason.text, kind)
    }

    init(_ position: Position, unknownKey key: Span<UInt8>) {
        var text: ByteText = "unknown key"
        var kind = Kind.unnamedKey
        if 1...32 ~= key.count, ConfigurationError.isKey(key) {
            text.append(" '")
            text.append(key)
            text.append("'")
            kind = .unknownKey
        }
        storage = Storage(position, nil, text, kind)
    }

    private static func isKey(_ text: Span<UInt8>) -> Bool {
        for index in text.indices {
            guard UInt8(ascii: "a")...UInt8(ascii: "z") ~= text[index] || text[index] == UInt8(ascii: "_") else {
                return false
            }
        }
        return true
    }

    package var kind: Kind { storage.kind }

    /// A position in the form that the readers use.
    struct Position {
        var file: ByteText?
        var number = 0
    }

    /// One line for the log and for users.
    package var text: ByteText { placeText + storage.reason }

    /// The beginning of the line, before the reason.
    var placeText: ByteText {
        var text = storage.file ?? ByteText()
        if storage.number > 0 {
            text.append(storage.file == nil ? "argument " : " line ")
            text.append(decimal: storage.number)
        }
        if !text.isEmpty { text.append(storage.number > 0 ? ": " : " ") }
        if let option = storage.option {
            text.append(contentsOf: option.row.name.text)
            text.append(" ")
        }
        return text
    }
}

// The details of a fault, for programs and tests.
extension ConfigurationError {
    package enum Location: Sendable {
        case file(String)
        /// A line of the file, counted from 1.
        case line(Int, file: String)
        /// An argument, counted from 1.
        case argument(Int)
        /// Settings that contradict each other.
        case together
    }

    package var location: Location {
        switch (storage.file, storage.number) {
        case (let file?, 0): .file(file.string)
        case (let file?, let line): .line(line, file: file.string)
        case (nil, 0): .together
        case (nil, let number): .argument(number)
        }
    }

    /// The beginning of the message, before the problem: where it is, and the name of the option, if there is one.
    package var place: String { placeText.string }

    /// The problem, as a part of a sentence; without the name of the option, if there is one.
    package var reason: String { storage.reason.string }

    /// One line for the log and for users.
    package var message: String { text.string }
}
