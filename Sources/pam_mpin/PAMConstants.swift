// SPDX-License-Identifier: Apache-2.0
internal import CPAM
internal import MPinPAM

extension ReturnCode {
    /// libpam's constant.
    var value: CInt { CInt(rawValue) }
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
