// SPDX-License-Identifier: Apache-2.0

/// The result of a module or a stack.
public struct PAMResult: Hashable, Sendable {
    /// libpam's number for the result.
    public let code: Int

    init(code: Int) {
        self.code = code
    }

    /// - Parameter name: the name in a bracketed control, such as `auth_err`.
    public init?(name: String) {
        guard let code = PAMResult.names.firstIndex(of: name) else { return nil }
        self.code = code
    }

    public var name: String { PAMResult.names[code] }

    /// The names, indexed by number.
    static let names = [
        "success", "open_err", "symbol_err", "service_err", "system_err", "buf_err", "perm_denied", "auth_err",
        "cred_insufficient", "authinfo_unavail", "user_unknown", "maxtries", "new_authtok_reqd", "acct_expired",
        "session_err", "cred_unavail", "cred_expired", "cred_err", "no_module_data", "conv_err", "authtok_err",
        "authtok_recover_err", "authtok_lock_busy", "authtok_disable_aging", "try_again", "ignore", "abort",
        "authtok_expired", "module_unknown", "bad_item", "conv_again", "incomplete",
    ]

    public static let success = PAMResult(code: 0)
    public static let serviceError = PAMResult(code: 3)
    public static let systemError = PAMResult(code: 4)
    public static let permissionDenied = PAMResult(code: 6)
    public static let authError = PAMResult(code: 7)
    public static let unavailable = PAMResult(code: 9)
    public static let userUnknown = PAMResult(code: 10)
    public static let maxTries = PAMResult(code: 11)
    static let newTokenRequired = PAMResult(code: 12)
    public static let ignore = PAMResult(code: 25)
    static let abort = PAMResult(code: 26)
    static let moduleUnknown = PAMResult(code: 28)
}
