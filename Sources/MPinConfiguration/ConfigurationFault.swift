package import MPinWire

/// An error in a configuration, and where it is.
///
/// Repeats nothing of what was written but a key that looks like one, so that a log shows nothing of a file that was
/// named by mistake.
package struct ConfigurationFault: Error, Sendable {
    /// Behind a reference, because every step of reading hands faults on.
    final class Storage: Sendable {
        /// The file, unless an argument or nothing in particular is meant.
        let file: ByteText?
        /// Which line or argument; 0 for none.
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

    /// A key that nothing is known of.
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

    /// Nothing is wrong with a file: this process lacks what it takes to read it.
    init(shortage file: ByteText, _ reason: Constant) {
        storage = Storage(file: file, number: 0, reason: reason.text, isShortage: true)
    }

    /// Whether the process is at fault, and not what was written.
    package var isShortage: Bool { storage.isShortage }

    /// A place as the readers know it.
    struct Position {
        var file: ByteText?
        var number = 0
    }

    /// One line for the log and for people.
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
