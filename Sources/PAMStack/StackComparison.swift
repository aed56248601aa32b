// SPDX-License-Identifier: Apache-2.0

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
