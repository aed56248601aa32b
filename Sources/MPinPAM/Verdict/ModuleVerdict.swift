// SPDX-License-Identifier: Apache-2.0
internal import MPin
package import MPinWire

/// The result of a call: the return code for the host program, the message for the user.
package struct ModuleVerdict: Sendable {
    package let code: ReturnCode
    /// Nil if there is no message, or the caller may not see it.
    package let message: Message?

    init(_ code: ReturnCode, _ message: Message? = nil) {
        self.code = code
        self.message = message
    }

    /// The complete verdict of an outcome.
    @inline(never)
    init(_ outcome: LoginOutcome) {
        let row = outcome.row()
        self.init(row.code, row.message)
    }

    /// The verdict of an outcome, reduced to what the caller may know.
    ///
    /// - Parameters:
    ///   - ignoresUnenrolled: whether an account that is proven not to be enrolled is skipped.
    ///   - failure: the sentence of the failure itself.
    @inline(never)
    package init(
        _ outcome: LoginOutcome, for trust: CallerTrust, ignoresUnenrolled: Bool, failure: Constant? = nil
    ) {
        let row = outcome.row(failure: failure)
        if case .notEnrolled(isProven: true) = outcome, ignoresUnenrolled {
            self.init(.ignore)
        } else if trust == .stranger {
            self.init(ModuleVerdict.plain(row.code))
        } else {
            self.init(row.code, row.message)
        }
    }

    /// The return code for a stranger, instead of one that would reveal something about the account.
    private static func plain(_ code: ReturnCode) -> ReturnCode {
        switch code {
        case .maxTries, .permissionDenied, .userUnknown: .authError
        default: code
        }
    }
}

/// The PAM return codes that the module uses, with their numbers in Linux-PAM.
package enum ReturnCode: UInt8, Sendable, CaseIterable {
    case success = 0
    case serviceError = 3
    case systemError = 4
    case permissionDenied = 6
    case authError = 7
    case authInfoUnavailable = 9
    case userUnknown = 10
    case maxTries = 11
    case accountExpired = 13
    case conversationError = 19
    case tokenError = 20
    case ignore = 25

    /// The name without `PAM_`.
    package var name: Constant {
        switch self {
        case .success: "SUCCESS"
        case .authError: "AUTH_ERR"
        case .authInfoUnavailable: "AUTHINFO_UNAVAIL"
        case .maxTries: "MAXTRIES"
        case .permissionDenied: "PERM_DENIED"
        case .userUnknown: "USER_UNKNOWN"
        case .ignore: "IGNORE"
        case .systemError: "SYSTEM_ERR"
        case .serviceError: "SERVICE_ERR"
        case .conversationError: "CONV_ERR"
        case .accountExpired: "ACCT_EXPIRED"
        case .tokenError: "AUTHTOK_ERR"
        }
    }

    /// The log level of a call that ends in this code.
    var level: LogLevel {
        switch self {
        case .success, .ignore: .note
        case .systemError, .serviceError: .fault
        default: .refusal
        }
    }
}
