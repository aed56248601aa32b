package import MPinWire

/// What is known of one option; see ``ConfigurationOption/row``.
package struct ConfigurationRow: Sendable {
    /// What a value looks like.
    package enum Kind: Sendable {
        /// `yes` or `no`; as an argument the bare name means yes.
        case flag
        /// An absolute path.
        case path
        /// The same, or `none`.
        case pathOrNone
        /// `https://HOST[:PORT][/PATH]` or `unix:/PATH`.
        case address
        /// Whole seconds, 1 to 120.
        case seconds
        /// A number, 1 to 3.
        case tries
        /// One line of text, at most 200 bytes.
        case text
        /// The name of an account.
        case account
        /// Names, separated by commas or white space.
        case names
        /// A template with `%u` for the account and `%%` for a percent sign.
        case template
        /// `pin`, `device` or `otp`.
        case method
        /// `local` or `remote`.
        case locality
        /// `no` or `auto`.
        case tpm
        /// `device:/PATH` or `swtpm:path=/PATH`.
        case tpmDevice
        /// `refuse` or `report`.
        case refusal
    }

    /// The name, the same in the file and as an argument.
    package let name: Constant

    package let kind: Kind

    /// The value without any configuration, as it would be written; empty for none.
    package let standard: Constant

    /// The section of the file it stands in; nil where it is allowed as an argument only.
    package let section: Constant?

    #if !hasFeature(Embedded)
    /// The version that had it first.
    package let since: Constant

    /// What it does, in one sentence without its full stop; Markdown.
    package let sentence: Constant
    #endif

    /// The Embedded build of the module leaves out what only documentation needs.
    @inline(__always)
    init(
        _ name: Constant, _ kind: Kind, _ standard: Constant, in section: Constant?, since: Constant,
        _ sentence: Constant
    ) {
        (self.name, self.kind, self.standard, self.section) = (name, kind, standard, section)
        #if !hasFeature(Embedded)
        (self.since, self.sentence) = (since, sentence)
        #endif
    }
}
