// SPDX-License-Identifier: Apache-2.0

/// Why the server, or a command on it, could not do what was requested.
package struct ServerError: Error, Sendable {
    /// The kind of error, by its name for programs. It determines the exit status of a command.
    package enum Kind: String, Sendable {
        /// The command line names something that does not exist.
        case usage = "USAGE"
        /// A user ID, time or URL that is malformed.
        case badInput = "BAD_INPUT"
        case noSuchUser = "NO_SUCH_USER"
        case noSuchDevice = "NO_SUCH_DEVICE"
        /// There is nothing to change, or the change does not apply.
        case nothingToChange = "NOTHING_TO_CHANGE"
        /// An address on which the server cannot listen.
        case unavailable = "UNAVAILABLE"
        /// An error of the program, of the cryptography, or in the content of the database.
        case internalFault = "INTERNAL_ERROR"
        /// A file or directory that cannot be created, or that exists already.
        case cannotCreate = "CANNOT_CREATE"
        case storage = "STORAGE_ERROR"
        case notPermitted = "NOT_PERMITTED"
        case configuration = "CONFIGURATION"
        /// The TPM does not know the key: it was cleared, or it is another TPM.
        case tpmCleared = "TPM_CLEARED"
        /// There is no TPM, or the library for it is missing.
        case tpmMissing = "TPM_MISSING"
        /// The TPM does not answer, or is busy.
        case tpmSilent = "TPM_SILENT"
    }

    package let kind: Kind
    /// One sentence, without secrets.
    package let message: String
    /// How to fix it; may be empty.
    package let hint: String
    /// The hint in one line.
    package var logHint: String { hint.split(separator: "\n").joined(separator: "; ") }
    /// The subcommand to run next, without options; nil if there is none.
    package let next: String?
    /// The account that may run the same command, as root may; nil if it is not known, or does not matter.
    package let account: String?

    package init(
        _ kind: Kind, _ message: String, hint: String = "", next: String? = nil, account: String? = nil
    ) {
        (self.kind, self.message, self.hint, self.next) = (kind, message, hint, next)
        self.account = account
    }

    /// The error for a database without a setting that `init` has written.
    package static var incompleteDatabase: ServerError { ServerError(.storage, "the database lacks its settings") }

    static func damaged(_ reason: String, _ path: String = "the database") -> ServerError {
        ServerError(.storage, "\(path) is damaged: \(reason)", next: "restore FILE")
    }
}
