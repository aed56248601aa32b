// SPDX-License-Identifier: Apache-2.0
package import MPinWire

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

    var level: LogLevel {
        switch self {
        case .success, .ignore: .note
        case .systemError, .serviceError: .fault
        default: .refusal
        }
    }
}
