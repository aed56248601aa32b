// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto

/// Decides which requests without a named code may register: those with a valid code in the clear, and those that the
/// configuration admits.
struct RegistrationPolicy: Sendable {
    enum Decision: Sendable {
        /// Activated if these are the symbols of a valid code.
        case ifCodeIsGood([UInt8])
        case activated
        /// Held until a code comes, or until it is verified.
        case held
        case refused
        /// A client sent an enrollment code itself, which only servers for old clients accept.
        case codeInClear
    }

    let configuration: RoleConfiguration

    /// Decides about a request with or without a code.
    func decide(code: String?, user: String) -> Decision {
        if let code, !code.isEmpty {
            guard let symbols = EnrollmentCode.symbols(code) else {
                // The site's application may use codes of its own. Any other malformed code is refused.
                return configuration.verifiesByHook ? .held : .refused
            }
            return configuration.legacy == .allow ? .ifCodeIsGood(symbols) : .codeInClear
        }
        if configuration.verifiesByHook { return .held }
        if configuration.forceActivate { return .activated }
        if MailVerification.address(of: user, configuration) != nil { return .held }
        return configuration.holdUnverified ? .held : .refused
    }
}
