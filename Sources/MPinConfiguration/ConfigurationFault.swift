// SPDX-License-Identifier: Apache-2.0
package import MPinWire

/// An error in a configuration, and where it is.
///
/// It repeats nothing of the text except a key that looks like one, so that a log shows nothing of a file that was
/// named by mistake.
package struct ConfigurationFault: Error, Sendable {
    /// Behind a reference, because every step of reading passes faults on.
    final class Storage: Sendable {
        /// The file; nil for an argument, or for no particular place.
        let file: ByteText?
        /// The number of the line or argument; 0 for none.
        let number: Int
        let reason: ByteText
        let isShortage: Bool

        init(file: ByteText?, number: Int, reason: ByteText, isShortage: Bool = false) {
            self.file = file
            self.number = number
            self.reason = reason
            self.isShortage = isShortage
        }
    }

    let storage: Storage

    @inline(never)
    init(_ position: Position, _ reason: Constant, _ option: ConfigurationOption? = nil) {
        var text = ByteText()
        if let option {
            text.append(contentsOf: option.row.name.text)
            text.append(" ")
        }
        text.append(contentsOf: reason.text)
        storage = Storage(file: position.file, number: position.number, reason: text)
    }

    /// Makes the fault of an unknown key.
    init(_ position: Position, unknownKey key: Span<UInt8>) {
        var text: ByteText = "unknown key"
        if 1...32 ~= key.count, ConfigurationFault.isKey(key) {
            text.append(" '")
            text.append(key)
            text.append("'")
        }
        storage = Storage(file: position.file, number: position.number, reason: text)
    }

    private static func isKey(_ text: Span<UInt8>) -> Bool {
        for index in text.indices {
            guard UInt8(ascii: "a")...UInt8(ascii: "z") ~= text[index] || text[index] == UInt8(ascii: "_") else {
                return false
            }
        }
        return true
    }

    /// Makes the fault of a process that lacks the resources to read a file. The file itself may be valid.
    init(shortage file: ByteText, _ reason: Constant) {
        storage = Storage(file: file, number: 0, reason: reason.text, isShortage: true)
    }

    /// Whether the process is at fault, and not the configuration.
    package var isShortage: Bool { storage.isShortage }

    /// A position in the form that the readers use.
    struct Position {
        var file: ByteText?
        var number = 0
    }

    /// One line for the log and for users.
    package var text: ByteText {
        var text = storage.file ?? ByteText()
        if storage.number > 0 {
            text.append(storage.file == nil ? "argument " : " line ")
            text.append(decimal: storage.number)
        }
        if !text.isEmpty { text.append(": ") }
        return text + storage.reason
    }
}
