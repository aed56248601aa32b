package import MPinWire

/// The PAM return codes that the module uses.
package enum ReturnCode: Sendable, Equatable, CaseIterable {
    case success, authError, authInfoUnavailable, maxTries, permissionDenied, userUnknown, ignore
    case systemError, serviceError, conversationError, accountExpired
    case tokenError

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
