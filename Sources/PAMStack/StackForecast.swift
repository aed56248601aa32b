// SPDX-License-Identifier: Apache-2.0

/// Predicts how logins through a service will end.
package struct StackForecast: Sendable {
    package enum Verdict: String, Sendable, Comparable {
        case letsIn = "lets in"
        case refuses
        /// The result depends on a module whose answer is not known.
        case depends

        /// A verdict is less than one that lets more users in.
        package static func < (left: Verdict, right: Verdict) -> Bool {
            left != right && (left == .refuses || right == .letsIn)
        }
    }

    private let results: [LoginCase: Set<PAMResult>]
    private let account: Set<PAMResult>

    /// - Parameter answers: the results of steps to assume, instead of all possible ones.
    package init(
        _ stacks: ServiceStacks, _ knowledge: ModuleKnowledge, _ answers: [StackEntry.StepID: PAMResult] = [:]
    ) {
        var results: [LoginCase: Set<PAMResult>] = [:]
        for login in LoginCase.all {
            results[login] = stacks.results(.auth) { entry in
                answers[entry.stepID].map { [$0] } ?? knowledge.results(of: entry, in: login)
            }
        }
        self.results = results
        let any = LoginCase(.right, isPasswordRight: true)
        account = stacks.results(.account) { knowledge.results(of: $0, in: any) }
    }

    /// The possible results of the auth stack.
    package func results(of login: LoginCase) -> Set<PAMResult> { results[login] ?? [] }

    /// The verdict of the auth stack and the account stack.
    package func verdict(of login: LoginCase) -> Verdict {
        min(StackForecast.verdict(results(of: login)), accountVerdict)
    }

    /// The verdict of the account stack for an authenticated user.
    package var accountVerdict: Verdict { StackForecast.verdict(account) }

    private static func verdict(_ results: Set<PAMResult>) -> Verdict {
        guard results.contains(.success) else { return .refuses }
        return results.count == 1 ? .letsIn : .depends
    }

    /// Whether the service refuses every login.
    package var isClosed: Bool { LoginCase.all.allSatisfy { verdict(of: $0) == .refuses } }

    /// Whether the right PIN or the right password is enough.
    package var takesPINInsteadOfPassword: Bool {
        LoginCase.all.allSatisfy { login in
            (verdict(of: login) != .refuses) == (login.pin == .right || login.isPasswordRight)
        }
    }

    /// Whether PIN and password are both required.
    package var wantsPINAndPassword: Bool {
        LoginCase.all.allSatisfy { login in
            (verdict(of: login) != .refuses) == (login.pin == .right && login.isPasswordRight)
        }
    }
}
