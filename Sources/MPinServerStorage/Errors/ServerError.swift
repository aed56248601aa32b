/// Why the server, or a command on it, could not do what it was asked to.
package struct ServerError: Error, Sendable {
    /// What went wrong, in the terms of the exit codes.
    package enum Kind: Sendable {
        /// The command line asks for something that does not exist.
        case usage
        /// A user ID, time or URL of the wrong form.
        case badInput
        /// No such user.
        case noSuchUser
        /// A user without a device of that number.
        case noSuchDevice
        /// A change to what is as it should be already, or that this change is not for.
        case nothingToChange
        /// An address that cannot be listened on.
        case unavailable
        /// A fault of the program, of the cryptography, or of what it found in its database.
        case internalFault
        /// A file or directory that cannot be made, or that is there already.
        case cannotCreate
        /// Reading or writing failed.
        case storage
        /// The caller lacks the right.
        case notPermitted
        /// Not initialized, or configured wrongly.
        case configuration
        /// The TPM does not know the key: it was cleared, or is another one.
        case tpmCleared
        /// There is no TPM, or no library to speak to it.
        case tpmMissing
        /// The TPM does not answer, or takes nothing for now.
        case tpmSilent
    }

    package let kind: Kind
    /// One sentence; holds no secret.
    package let message: String
    /// What to do about it; may be empty.
    package let hint: String
    /// The subcommand to run next, without options; nil for none.
    package let next: String?
    /// The account that may run this very command; nil where that is not known, or does not matter.
    package let account: String?
    /// The command, of the system, that must have been run before that account runs this one; nil for none.
    package let preparation: String?

    package init(
        _ kind: Kind, _ message: String, hint: String = "", next: String? = nil, account: String? = nil,
        preparation: String? = nil
    ) {
        self.kind = kind
        self.message = message
        self.hint = hint
        self.next = next
        self.account = account
        self.preparation = preparation
    }

    /// The exit code of a command that ends in this fault.
    package var exitCode: Int32 {
        switch kind {
        case .usage: 64
        case .badInput: 65
        case .noSuchUser, .noSuchDevice, .nothingToChange: 67
        case .unavailable, .tpmSilent: 69
        case .internalFault: 70
        case .tpmMissing: 72
        case .cannotCreate: 73
        case .storage: 74
        case .notPermitted: 77
        case .configuration, .tpmCleared: 78
        }
    }

    /// The name of the fault for programs.
    package var code: String {
        switch kind {
        case .usage: "USAGE"
        case .badInput: "BAD_INPUT"
        case .noSuchUser: "NO_SUCH_USER"
        case .noSuchDevice: "NO_SUCH_DEVICE"
        case .nothingToChange: "NOTHING_TO_CHANGE"
        case .unavailable: "UNAVAILABLE"
        case .internalFault: "INTERNAL_ERROR"
        case .cannotCreate: "CANNOT_CREATE"
        case .storage: "STORAGE_ERROR"
        case .notPermitted: "NOT_PERMITTED"
        case .configuration: "CONFIGURATION"
        case .tpmCleared: "TPM_CLEARED"
        case .tpmMissing: "TPM_MISSING"
        case .tpmSilent: "TPM_SILENT"
        }
    }
}
