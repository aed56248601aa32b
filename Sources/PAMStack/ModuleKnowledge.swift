// SPDX-License-Identifier: Apache-2.0

/// The known results of modules for an ordinary user.
package struct ModuleKnowledge {
    /// The configuration of a line with M-Pin's module.
    package enum Setting: Sendable {
        /// The arguments or the configuration are invalid: the module refuses every login.
        case faulty
        case valid(ignoresUnenrolled: Bool)
    }

    /// The name of M-Pin's module.
    package static let own = "pam_mpin.so"

    private let setting: (_ arguments: [String]) -> Setting
    private let isInstalled: (_ module: String) -> Bool

    /// - Parameters:
    ///   - setting: reads the configuration for the arguments of M-Pin's module.
    ///   - isInstalled: whether a module, given by name or path, can be loaded.
    package init(
        setting: @escaping (_ arguments: [String]) -> Setting, isInstalled: @escaping (_ module: String) -> Bool
    ) {
        self.setting = setting
        self.isInstalled = isInstalled
    }

    package func results(of entry: StackEntry, in login: LoginCase) -> [PAMResult] {
        guard case .module(let path, let arguments) = entry.step, let name = entry.moduleName else { return [] }
        guard isInstalled(path) else { return [.moduleUnknown] }
        if let fixed = ModuleKnowledge.debugged(name, arguments, entry.facility) { return [fixed] }
        return entry.facility == .account
            ? ModuleKnowledge.accountResults(of: name) : authResults(of: name, arguments, login)
    }

    /// The possible results of M-Pin's module.
    package func ownResults(_ arguments: [String], _ pin: LoginCase.PINState) -> [PAMResult] {
        guard case .valid(let ignoresUnenrolled) = setting(arguments) else { return [.serviceError] }
        return switch pin {
        case .right: [.success]
        case .wrong: [.authError, .maxTries, .permissionDenied]
        // In set-uid programs it is a refusal, because their caller can cause it.
        case .unreachable: [.unavailable, .authError]
        case .misconfigured: [.serviceError, .systemError]
        case .notEnrolled: ignoresUnenrolled ? [.ignore] : [.userUnknown, .authError]
        }
    }

    /// Results that occur only while `/etc/nologin` exists. Forecasts assume that it does not.
    ///
    /// A change must not skip a line that refuses logins in that case.
    func rareResults(of entry: StackEntry) -> [PAMResult] {
        entry.moduleName == "pam_nologin.so" && entry.facility == .auth ? [.authError] : []
    }

    private func authResults(of name: String, _ arguments: [String], _ login: LoginCase) -> [PAMResult] {
        if name == ModuleKnowledge.own { return ownResults(arguments, login.pin) }
        if ModuleKnowledge.asksForPassword(name) { return [login.isPasswordRight ? .success : .authError] }
        switch name {
        case "pam_permit.so": return [.success]
        case "pam_deny.so", "pam_rootok.so": return [.authError]
        case "pam_env.so", "pam_faildelay.so", "pam_nologin.so", "pam_group.so", "pam_warn.so", "pam_echo.so",
            "pam_issue.so":
            return [.ignore]
        // The results for an account that is not locked.
        case "pam_faillock.so": return arguments.contains("authfail") ? [.authError] : [.success]
        case "pam_cap.so", "pam_gnome_keyring.so", "pam_kwallet5.so", "pam_keyinit.so", "pam_selinux.so":
            return [.success, .ignore]
        default: return [.success, .authError, .ignore]
        }
    }

    private static func accountResults(of name: String) -> [PAMResult] {
        switch name {
        case own, "pam_unix.so", "pam_permit.so", "pam_faillock.so": [.success]
        case "pam_deny.so": [.authError]
        case "pam_nologin.so": [.ignore]
        default: [.success, .ignore]
        }
    }

    /// Whether a module checks the account's password.
    static func asksForPassword(_ name: String) -> Bool {
        [
            "pam_unix.so", "pam_unix2.so", "pam_sss.so", "pam_krb5.so", "pam_ldap.so", "pam_winbind.so", "pam_tcb.so",
            "pam_systemd_home.so", "pam_userdb.so", "pam_pwdfile.so", "pam_aad.so", "pam_himmelblau.so",
            "pam_kanidm.so", "pam_authd.so", "pam_authd_exec.so",
        ].contains(name)
    }

    /// Whether a module that checks the password uses one that an earlier module has asked for.
    static func takesPassword(_ name: String, _ arguments: [String]) -> Bool {
        guard asksForPassword(name) else { return false }
        if ["pam_unix.so", "pam_unix2.so", "pam_tcb.so", "pam_systemd_home.so"].contains(name) { return true }
        return arguments.contains("use_first_pass") || arguments.contains("try_first_pass")
    }

    /// The result that the arguments of `pam_debug.so`, a module for testing stacks, specify.
    private static func debugged(_ name: String, _ arguments: [String], _ facility: StackEntry.Facility) -> PAMResult? {
        guard name == "pam_debug.so" else { return nil }
        let key = facility == .account ? "acct=" : "auth="
        let told = arguments.last { $0.hasPrefix(key) }
        return told.map { PAMResult(name: String($0.dropFirst(key.count))) ?? .success } ?? .success
    }
}
