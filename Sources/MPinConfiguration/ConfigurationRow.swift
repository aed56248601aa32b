// SPDX-License-Identifier: Apache-2.0
package import MPinWire

/// The properties of one option; see ``ConfigurationOption/row``.
package struct ConfigurationRow: Sendable {
    package enum Kind: Sendable {
        /// `yes` or `no`; as an argument the bare name means yes.
        case flag
        case path
        /// An absolute path, or `none`.
        case pathOrNone
        /// `https://HOST[:PORT][/PATH]` or `unix:/PATH`.
        case address
        /// `sha256//` and 32 bytes in Base64; several are separated by semicolons.
        case tlsPin
        /// 64 hexadecimal digits, with hyphens or colons between them.
        case fingerprint
        /// Whole seconds, 1 to 120.
        case seconds
        /// A number, 1 to 3.
        case tries
        /// One line of text, at most 200 bytes.
        case text
        case account
        /// Names, separated by commas or white space.
        case names
        /// A template with `%u` for the account and `%%` for a percent sign.
        case template
        /// `pin`.
        case method
        /// `no` or `auto`.
        case tpm
        /// `device:/PATH` or `swtpm:path=/PATH`.
        case tpmDevice
        /// `refuse` or `report`.
        case refusal
    }

    /// The name, which is the same in the file and as an argument.
    package let name: Constant

    package let kind: Kind

    /// The default value as text; empty for none.
    package let standard: Constant

    /// The section in the file; nil if the option is allowed only as an argument.
    package let section: Constant?

    /// The first version that has the option.
    package let since: Constant

    /// The effect, in one sentence without its period; Markdown.
    package let sentence: Constant

    @inline(__always)
    init(
        _ name: Constant, _ kind: Kind, _ standard: Constant, in section: Constant?, since: Constant,
        _ sentence: Constant
    ) {
        (self.name, self.kind, self.standard, self.section) = (name, kind, standard, section)
        (self.since, self.sentence) = (since, sentence)
    }
}
