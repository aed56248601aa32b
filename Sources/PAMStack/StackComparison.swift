/// What a change of its files does to those who log in through a service.
///
/// What a module says of which nothing is known, as one that reads fingerprints, is the same before and after: each of its
/// answers is looked at by itself, so that nobody is overlooked behind somebody else who gets in all the same.
public struct StackComparison {
    /// Whether somebody gets in who did not, or may get in who did not, where the right PIN is to do what the right
    /// password has done at the most.
    public private(set) var letsInMore = false
    /// Whether somebody who knows neither PIN nor password gets in, or may get in, who did not.
    public private(set) var isMoreOpen = false
    /// Whether somebody does not get in any more, or may not, who did by something else than the PIN alone.
    public private(set) var keepsOut = false

    /// How many combinations of answers are looked at; modules beyond them may answer anything each time.
    private static let most = 243

    public init(_ former: ServiceStacks, _ later: ServiceStacks, _ knowledge: ModuleKnowledge) {
        let before = Side(former, knowledge), after = Side(later, knowledge)
        let open = before.open.merging(after.open) { first, _ in first }
        for answers in StackComparison.combinations(of: open) {
            let ranks = LoginCase.all.map {
                (login: $0, before: before.rank($0, answers), after: after.rank($0, answers))
            }
            let formerly = Dictionary(uniqueKeysWithValues: ranks.map { ($0.login, $0.before) })
            for (login, rank, later) in ranks {
                let knowsAny = login.isPasswordRight || login.pin == .right
                let known = formerly[LoginCase(.wrong, isPasswordRight: knowsAny)] ?? 0
                letsInMore = letsInMore || later > known
                isMoreOpen = isMoreOpen || (login == LoginCase.stranger && later > rank)
                keepsOut = keepsOut || (login != LoginCase(.right, isPasswordRight: false) && later < rank)
            }
        }
    }

    private static func combinations(of open: [ComparedLine: [PAMResult]]) -> [[ComparedLine: PAMResult]] {
        var all: [[ComparedLine: PAMResult]] = [[:]]
        for (line, results) in open.sorted(by: { $0.key < $1.key }) where all.count * results.count <= most {
            all = all.flatMap { answers in results.map { answers.merging([line: $0]) { $1 } } }
        }
        return all
    }

    /// A line that is in the stack before and after, wherever it stands: pam-auth-update also changes arguments, where
    /// a line is the first no more.
    private struct ComparedLine: Hashable, Comparable {
        let module: String
        /// Which of several with that module.
        let number: Int

        static func < (left: ComparedLine, right: ComparedLine) -> Bool {
            (left.module, left.number) < (right.module, right.number)
        }
    }

    /// The stack before, or after.
    private struct Side {
        private let stacks: ServiceStacks
        private let entries: [StackEntry]
        private let account: StackForecast.Verdict
        private var lines: [ComparedLine?] = []
        /// What each entry may answer in a login.
        private let results: [LoginCase: [[PAMResult]]]
        /// The lines whose answers nobody knows, and those that they may give.
        private(set) var open: [ComparedLine: [PAMResult]] = [:]

        init(_ stacks: ServiceStacks, _ knowledge: ModuleKnowledge) {
            let entries = stacks.entries(.auth)
            (self.stacks, self.entries) = (stacks, entries)
            let all = LoginCase.all.map { login in (login, entries.map { knowledge.results(of: $0, in: login) }) }
            results = Dictionary(uniqueKeysWithValues: all)
            account = StackForecast(stacks, knowledge).accountVerdict
            var counts: [String: Int] = [:]
            for entry in entries {
                guard case .module(let module, _) = entry.step, entry.moduleName != ModuleKnowledge.own else {
                    lines.append(nil)
                    continue
                }
                counts[module, default: 0] += 1
                let line = ComparedLine(module: module, number: counts[module] ?? 0)
                lines.append(line)
                let results = knowledge.results(of: entry, in: LoginCase.stranger) + knowledge.rareResults(of: entry)
                if results.count > 1 { open[line] = results }
            }
        }

        /// How far a login gets, where the modules answer like this.
        func rank(_ login: LoginCase, _ answers: [ComparedLine: PAMResult]) -> Int {
            let known = results[login] ?? []
            let ends = stacks.results(entries) { index in
                lines[index].flatMap { answers[$0] }.map { [$0] } ?? known[index]
            }
            return StackForecast.verdict(ends, behind: account).rank
        }
    }
}
