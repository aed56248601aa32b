// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import MPin
import MPinAgent
import MPinWire

/// The state of an account's registration as stored on this machine. Sends nothing to the server.
struct AccountStatus {
    private let target: TargetAccount
    private let columns: Int
    private let answer: Answer

    private enum Answer {
        case enrolled(RegistrationSummary, isHalfRecovered: Bool)
        case none(CommandFailure)
    }

    init(_ target: TargetAccount, _ common: CommonOptions) throws(CommandFailure) {
        self.target = target
        columns = common.display(STDOUT_FILENO).columns
        do throws(CommandFailure) {
            var fields = try target.perform(AccountAction(.read), common)
            guard let user = RegistrationSummary(&fields) else { throw AgentCall.senseless }
            answer = .enrolled(user, isHalfRecovered: fields.flag())
        } catch  where error.exitStatus == .notEnrolled { answer = .none(error) }
    }

    /// The registration that the command line selects; `nil` if the account has none.
    var user: RegistrationSummary? { if case .enrolled(let user, _) = answer { user } else { nil } }

    /// - Parameter check: whether the exit status depends on the state.
    func report(check: Bool) -> Report {
        switch answer {
        case .none(let failure):
            Report(
                [failure.message],
                [
                    "account": target.account, "identity": target.identity,
                    "state": UserState.invalid.name,
                ], next: failure.advice, exitStatus: check ? .notEnrolled : .done, isAnswer: true)
        case .enrolled(let user, let isHalfRecovered):
            Report(
                AccountStatus.wrapped(lines(user, isHalfRecovered), columns: columns),
                target.description(of: user), next: next(user, isHalfRecovered),
                exitStatus: check ? ExitStatus(of: user) : .done, isAnswer: true)
        }
    }

    /// Lines wrapped to the terminal, with their names in a separate column.
    static func wrapped(_ lines: [String], columns: Int) -> [String] {
        let column = 10
        return lines.flatMap { line in
            var wrapped = Display.wrapped(String(line.dropFirst(column)), columns: columns, indentation: column)
            wrapped[0] = String(line.prefix(column)) + wrapped[0].dropFirst(column)
            return wrapped
        }
    }

    /// A state for people. JSON output has the name that the SDK and its documents use.
    static func words(_ state: UserState) -> String {
        switch state {
        case .registered: "enrolled"
        case .blocked: "blocked"
        case .startedRegistration: "waiting for confirmation"
        case .activated: "confirmed, without a PIN"
        case .invalid: "not enrolled"
        }
    }

    private func lines(_ user: RegistrationSummary, _ isHalfRecovered: Bool) -> [String] {
        var lines = [
            "account   \(target.account)", "identity  \(user.identity)", "server    \(user.backend)",
        ]
        lines += TargetAccount.serverKeyLines(of: user)
        lines += stateLines(user) + ["key       \(user.keyPlace.name.text.string)"]
        if !user.deviceName.isEmpty { lines.append("device    \(user.deviceName)") }
        if let left = user.attemptsLeft { lines.append("tries     \(left) left after the last try on this machine") }
        if let wrong = user.wrongSinceLastLogin, wrong > 0 {
            lines.append("wrong     \(wrong) wrong PIN\(wrong == 1 ? "" : "s") before the last login on this machine")
        }
        if let count = user.backupCodes { lines.append("codes     \(count) backup codes left, as of the last login") }
        let unrevoked = TargetAccount.unrevoked(user)
        lines += unrevoked.indices.map { ($0 == 0 ? "replaced  " : "          ") + unrevoked[$0] }
        if isHalfRecovered, user.state != .blocked, user.lastRefusal == nil {
            lines.append("recovery  not finished: this enrollment remains valid until the new one has logged in")
        }
        return lines
    }

    /// The state. After a refusal, that is what the server answered then: it may answer differently now.
    private func stateLines(_ user: RegistrationSummary) -> [String] {
        guard let refusal = user.lastRefusal else { return ["state     \(AccountStatus.words(user.state))"] }
        let time = user.refusalTime.map { " (\(TargetAccount.text($0)))" } ?? ""
        // The server gives reasons only for revocations.
        let reason = refusal == .clientSecretExpired ? CommandFailure.whyOutOfDate : user.refusalReason
        return ["state     \(refusal == .revoked ? "revoked" : "out of date") at the last login\(time)"]
            + (reason.map { ["reason    \($0)"] } ?? [])
    }

    /// Whether the administrator may have undone the revocation since. A registration without a key is also "revoked" at
    /// a server that does not know it.
    static func mayBeRestored(_ user: RegistrationSummary) -> Bool {
        user.lastRefusal == .revoked && (user.hasDeviceKey || user.refusalReason != nil)
    }

    /// The hint after a revocation. If the server still refuses, its answer has the next one.
    static let askServer = Advice("Check whether the server still refuses it", "test")

    /// The command that the user can run next.
    private func next(_ user: RegistrationSummary, _ isHalfRecovered: Bool) -> Advice {
        if isHalfRecovered {
            return Advice("A recovery is not finished. Continue", "recover")
                .adding("Or discard it", "recover --start-over")
        }
        return switch (user.state, user.lastRefusal) {
        case (.registered, .revoked) where AccountStatus.mayBeRestored(user): AccountStatus.askServer
        case (.registered, .revoked), (.blocked, .revoked):
            CommandFailure.revoked(user).advice ?? CommandFailure.recoverExpired
        case (.registered, .clientSecretExpired), (.blocked, .clientSecretExpired): CommandFailure.recoverExpired
        case (.registered, _) where user.offersDeviceKey: Advice("The server offers device keys. Get one", "recover")
        case (.registered, _): Advice("Try it", "test")
        case (.blocked, _): CommandFailure.recoverBlocked
        case (.startedRegistration, _), (.activated, _): CommandFailure.goOn("register", of: Advice.Subject(user))
        case (.invalid, _): CommandFailure.register
        }
    }
}
