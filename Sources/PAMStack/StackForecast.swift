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

    package func results(of login: LoginCase) -> Set<PAMResult> { results[login] ?? [] }

    package func verdict(of login: LoginCase) -> Verdict {
        min(StackForecast.verdict(results(of: login)), accountVerdict)
    }

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

/// A login to predict: the outcome of the PIN, and whether the password is right.
package struct LoginCase: Hashable, Sendable {
    package enum PINState: String, Sendable, CaseIterable { case right, wrong, unreachable, misconfigured, notEnrolled }

    package let pin: PINState
    package let isPasswordRight: Bool

    package init(_ pin: PINState, isPasswordRight: Bool) {
        self.pin = pin
        self.isPasswordRight = isPasswordRight
    }

    /// A user who knows neither PIN nor password.
    static let stranger = LoginCase(.wrong, isPasswordRight: false)

    package static var all: [LoginCase] {
        PINState.allCases.flatMap { [LoginCase($0, isPasswordRight: true), LoginCase($0, isPasswordRight: false)] }
    }
}

/// Compares the logins through a service before and after a change of its files.
///
/// A module whose answer is unknown, such as one for fingerprints, gives the same answer before and after. Each
/// combination of answers is compared by itself. Otherwise a user who gets in either way would hide one who is refused.
package struct StackComparison {
    /// Whether a login gets further than before. The right PIN may do what the right password did, but no more.
    package private(set) var letsInMore = false
    /// Whether a user who knows neither PIN nor password gets further than before.
    package private(set) var isMoreOpen = false
    /// Whether a login other than by the PIN alone gets less far than before.
    package private(set) var keepsOut = false

    /// The maximum number of combinations. Modules beyond it may give another answer each time.
    private static let most = 243

    package init(_ former: ServiceStacks, _ later: ServiceStacks, _ knowledge: ModuleKnowledge) {
        for answers in StackComparison.combinations([former, later], knowledge) {
            let before = StackForecast(former, knowledge, answers), after = StackForecast(later, knowledge, answers)
            for login in LoginCase.all {
                let knowsAny = login.isPasswordRight || login.pin == .right
                let limit = before.verdict(of: LoginCase(.wrong, isPasswordRight: knowsAny))
                let old = before.verdict(of: login), new = after.verdict(of: login)
                letsInMore = letsInMore || new > limit
                isMoreOpen = isMoreOpen || (login == .stranger && new > old)
                keepsOut = keepsOut || (login != LoginCase(.right, isPasswordRight: false) && new < old)
            }
        }
    }

    private static func combinations(
        _ stacks: [ServiceStacks], _ knowledge: ModuleKnowledge
    ) -> [[StackEntry.StepID: PAMResult]] {
        var all: [[StackEntry.StepID: PAMResult]] = [[:]]
        var seen: Set<StackEntry.StepID> = []
        for entry in stacks.flatMap({ $0.entries(.auth) }) where entry.moduleName != ModuleKnowledge.own {
            let results = knowledge.results(of: entry, in: .stranger) + knowledge.rareResults(of: entry)
            guard results.count > 1, seen.insert(entry.stepID).inserted, all.count * results.count <= most else {
                continue
            }
            all = all.flatMap { known in results.map { known.merging([entry.stepID: $0]) { $1 } } }
        }
        return all
    }
}
