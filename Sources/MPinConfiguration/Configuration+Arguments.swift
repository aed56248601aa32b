// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension Configuration {
    /// Reads arguments, `key=value` or the bare key of a flag. Their values replace earlier ones.
    mutating func read(arguments: [ByteText]) throws(ConfigurationError) {
        var position = ConfigurationError.Position()
        for argument in arguments {
            position.number += 1
            try read(argument.bytes.span, position)
        }
    }

    private mutating func read(
        _ argument: Span<UInt8>, _ position: ConfigurationError.Position
    ) throws(ConfigurationError) {
        guard argument.count <= 4096, Configuration.isText(argument) else {
            throw ConfigurationError(position, "is not text, or is too long")
        }
        var length = 0
        while length < argument.count, argument[length] != UInt8(ascii: "=") { length += 1 }
        guard let option = ConfigurationOption.named(argument.extracting(0..<length)) else {
            throw ConfigurationError(position, "unknown option")
        }
        var value: ByteText = "yes"
        if length < argument.count {
            value = ByteText(argument.extracting((length + 1)..<argument.count))
        } else if option.row.kind != .flag {
            throw ConfigurationError(position, "needs a value", option)
        }
        if case .argument = origin(of: option) { throw ConfigurationError(position, "is set twice", option) }
        try set(option, value, .argument, position)
    }

    private static func isText(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices where bytes[index] < 0x20 || bytes[index] == 0x7F { return false }
        return UTF8Sequence.isWellFormed(bytes)
    }

    /// Finds settings that contradict each other.
    func checkTogether() throws(ConfigurationError) {
        let nowhere = ConfigurationError.Position()
        guard !(isYes(.tryFirstPass) && isYes(.useFirstPass)) else {
            throw ConfigurationError(nowhere, "try_first_pass and use_first_pass cannot be combined")
        }
        if firstPass != .ignored, let method, method != .pin {
            throw ConfigurationError(nowhere, "try_first_pass and use_first_pass need method=pin")
        }
    }
}
