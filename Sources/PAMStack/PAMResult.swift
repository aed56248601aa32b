// SPDX-License-Identifier: Apache-2.0

/// The result of a module or a stack.
package struct PAMResult: Hashable, Sendable {
    /// libpam's number for the result.
    package let code: Int

    init(code: Int) { self.code = code }

    /// - Parameter name: the name in a bracketed control, such as `auth_err`.
    package init?(name: String) {
        guard let code = PAMResult.names.firstIndex(of: name) else { return nil }
        self.code = code
    }

    package var name: String { PAMResult.names[code] }

    static let names = [
        "success", "open_err", "symbol_err", "service_err", "system_err", "buf_err", "perm_denied", "auth_err",
        "cred_insufficient", "authinfo_unavail", "user_unknown", "maxtries", "new_authtok_reqd", "acct_expired",
        "session_err", "cred_unavail", "cred_expired", "cred_err", "no_module_data", "conv_err", "authtok_err",
        "authtok_recover_err", "authtok_lock_busy", "authtok_disable_aging", "try_again", "ignore", "abort",
        "authtok_expired", "module_unknown", "bad_item", "conv_again", "incomplete",
    ]

    package static let success = PAMResult(code: 0)
    package static let serviceError = PAMResult(code: 3)
    package static let systemError = PAMResult(code: 4)
    package static let permissionDenied = PAMResult(code: 6)
    package static let authError = PAMResult(code: 7)
    package static let unavailable = PAMResult(code: 9)
    package static let userUnknown = PAMResult(code: 10)
    package static let maxTries = PAMResult(code: 11)
    static let newTokenRequired = PAMResult(code: 12)
    package static let ignore = PAMResult(code: 25)
    static let abort = PAMResult(code: 26)
    static let moduleUnknown = PAMResult(code: 28)
}
