// SPDX-License-Identifier: Apache-2.0
package import MPinWire

/// The configuration of this machine, and of one line of a PAM stack.
package struct Configuration: Sendable {
    /// How to handle a password that another module of the stack has already asked for.
    package enum FirstPass: Sendable {
        /// Always ask for the PIN.
        case ignored
        /// Use it if it is shaped like a PIN; otherwise ask.
        case tried
        /// Use it, and fail if it is not shaped like a PIN.
        case required
    }

    /// Where a value comes from.
    package enum Origin: Sendable {
        case standard
        /// A line of the file, counted from 1.
        case file(line: Int)
        case argument
    }

    /// A valid value of an option.
    private final class Setting: Sendable {
        let text: ByteText
        let origin: Origin

        init(_ text: ByteText, _ origin: Origin) {
            self.text = text
            self.origin = origin
        }
    }

    /// The values that are set, in the order of the options; nil for the default.
    private var settings = [Setting?](repeating: nil, count: ConfigurationOption.allCases.count)

    /// The default configuration.
    package init() {}

    /// Where the value of an option comes from.
    package func origin(of option: ConfigurationOption) -> Origin { settings[option.rawValue]?.origin ?? .standard }

    mutating func assign(_ option: ConfigurationOption, _ text: ByteText, _ origin: Origin) {
        settings[option.rawValue] = Setting(text, origin)
    }

    /// The value of an option, or its default; nil if there is none.
    @inline(never)
    package func value(_ option: ConfigurationOption) -> ByteText? {
        if let setting = settings[option.rawValue] { return setting.text }
        let standard = option.row.standard.text
        return standard.isEmpty ? nil : standard
    }

    @inline(never)
    func isYes(_ option: ConfigurationOption) -> Bool { value(option)?.matches("yes") ?? false }
}
