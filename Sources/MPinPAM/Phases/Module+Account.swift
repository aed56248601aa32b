// SPDX-License-Identifier: Apache-2.0
internal import MPin
internal import MPinWire

extension Module {
    /// Checks the account by the last contact with the server: the account phase, pam_sm_acct_mgmt.
    ///
    /// It only reads the store, and makes no request and no prompt.
    package mutating func account() -> ReturnCode {
        guard let call = begin("account") else { return .userUnknown }
        if let outcome = loadConfiguration(for: call) { return end(call, outcome, ModuleVerdict(.serviceError)) }
        guard let name = call.caller.accountName, let user = call.caller.accountUID else {
            return end(call, .notEnrolled(isProven: false), ModuleVerdict(.userUnknown))
        }
        let registration: S.Registration
        do throws(RegistrationError) {
            registration = try system.openRegistration(of: name, user, call.configuration)
        } catch {
            switch error {
            // The configuration can name another server than the one that has revoked the registration.
            case .noneFits(isRevoked: true): return endRefused(call, .revoked, with: .accountExpired)
            case .store(.notEnrolled), .store(.noStore), .store(.badAccountName), .noneFits, .replaced: return .ignore
            case .store:
                return relay(call, error.outcome, isAccountPhase: true)
                    ?? end(call, error.outcome, ModuleVerdict(.systemError))
            case .ambiguous, .unmappable: return end(call, error.outcome, ModuleVerdict(.serviceError))
            }
        }
        switch (registration.state, registration.lastRefusal) {
        case (.invalid, _), (.startedRegistration, _), (.activated, _): return .ignore
        case (_, .revoked): return endRefused(call, .revoked, with: .accountExpired)
        // Not a change of the authentication token: no password stack could make it, and every login would fail.
        case (_, .clientSecretExpired): return endRefused(call, .clientSecretExpired, with: .ignore)
        default: return .success
        }
    }

    /// Ends with a refusal from an earlier contact, with this phase's return code for it.
    mutating func endRefused(_ call: ModuleCall, _ status: MPinStatus, with code: ReturnCode) -> ReturnCode {
        let outcome = LoginOutcome.refused(status, attemptsLeft: nil, pinChecked: .no)
        return end(call, outcome, ModuleVerdict(code, call.trust == .known ? outcome.row().message : nil))
    }
}
