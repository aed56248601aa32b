internal import CPAM
internal import MPinPAM

extension ReturnCode {
    /// libpam's constant.
    var value: CInt {
        switch self {
        case .success: PAM_SUCCESS
        case .authError: PAM_AUTH_ERR
        case .authInfoUnavailable: PAM_AUTHINFO_UNAVAIL
        case .maxTries: PAM_MAXTRIES
        case .permissionDenied: PAM_PERM_DENIED
        case .userUnknown: PAM_USER_UNKNOWN
        case .ignore: PAM_IGNORE
        case .systemError: PAM_SYSTEM_ERR
        case .serviceError: PAM_SERVICE_ERR
        case .conversationError: PAM_CONV_ERR
        case .accountExpired: PAM_ACCT_EXPIRED
        case .tokenError: PAM_AUTHTOK_ERR
        }
    }
}

extension HostItem {
    /// libpam's constant: the item's type.
    var type: CInt {
        switch self {
        case .service: PAM_SERVICE
        case .remoteHost: PAM_RHOST
        }
    }
}

extension LogLevel {
    /// syslog's priority.
    var priority: Int {
        switch self {
        case .fault: MPIN_PAM_ERR
        case .refusal: MPIN_PAM_NOTICE
        case .note: MPIN_PAM_INFO
        case .debug: MPIN_PAM_DEBUG
        }
    }
}
