// SPDX-License-Identifier: Apache-2.0

/// Why the server, or a command on it, could not do what was requested.
package struct ServerError: Error, Sendable {
    /// The kind of error, which determines the exit status of a command.
    package enum Kind: Sendable, CaseIterable {
        /// The command line names something that does not exist.
        case usage
        /// A user ID, time or URL that is malformed.
        case badInput
        case noSuchUser
        /// The user has no device of that number.
        case noSuchDevice
        /// There is nothing to change, or the change does not apply.
        case nothingToChange
        /// An address on which the server cannot listen.
        case unavailable
        /// An error of the program, of the cryptography, or in the content of the database.
        case internalFault
        /// A file or directory that cannot be created, or that exists already.
        case cannotCreate
        /// Reading or writing has failed.
        case storage
        /// The caller lacks the permission.
        case notPermitted
        /// The server is not initialized, or misconfigured.
        case configuration
        /// The TPM does not know the key: it was cleared, or it is another TPM.
        case tpmCleared
        /// There is no TPM, or the library for it is missing.
        case tpmMissing
        /// The TPM does not answer, or is busy.
        case tpmSilent
    }

    package let kind: Kind
    /// One sentence, without secrets.
    package let message: String
    /// How to fix it; may be empty.
    package let hint: String
    /// The subcommand to run next, without options; nil if there is none.
    package let next: String?
    /// The account that may run the same command; nil if it is not known, or does not matter.
    package let account: String?
    /// A system command that must run before that account runs the command; nil if there is none.
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

    /// The name of the error for programs.
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
