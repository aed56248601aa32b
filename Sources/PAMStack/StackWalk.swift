// SPDX-License-Identifier: Apache-2.0

/// Walks through a stack as libpam's dispatcher does, along every path that the possible results allow.
struct StackWalk {
    let entries: [StackEntry]

    /// libpam's impression and status, which decide the result of the stack.
    private struct Opinion: Hashable {
        enum Impression { case none, good, bad }
        var impression = Impression.none
        var status = PAMResult.permissionDenied

        var result: PAMResult { status == .success && impression != .good ? .permissionDenied : status }

        mutating func take(good result: PAMResult) {
            guard impression == .none || (impression == .good && status == .success) else { return }
            (impression, status) = (.good, result)
        }

        mutating func take(bad result: PAMResult) {
            guard impression != .bad else { return }
            (impression, status) = (.bad, result == .ignore ? .permissionDenied : result)
        }
    }

    private struct State: Hashable {
        var index = 0
        var previousLevel = 0
        var opinion = Opinion()
        /// The opinion at the start of each entered substack.
        var before = [Opinion()]
    }

    /// The possible results of the stack.
    ///
    /// - Parameter results: the possible results of each step.
    func results(_ results: (StackEntry) -> [PAMResult]) -> Set<PAMResult> {
        guard !entries.isEmpty else { return [.permissionDenied] }
        var found: Set<PAMResult> = []
        var open = [State()]
        var seen: Set<State> = []
        while let state = open.popLast() {
            guard state.index < entries.count else {
                found.insert(state.opinion.result)
                continue
            }
            guard seen.insert(state).inserted else { continue }
            let entry = entries[state.index]
            var entered = state
            if state.previousLevel < entry.level {
                while entered.before.count <= entry.level { entered.before.append(Opinion()) }
                entered.before[entry.level] = state.opinion
            }
            entered.previousLevel = entry.level
            switch entry.step {
            case .substack:
                entered.index += 1
                open.append(entered)
            case .failure: open.append(after(.permissionDenied, of: entry, entered))
            case .module: open += results(entry).map { after($0, of: entry, entered) }
            }
        }
        return found
    }

    private func after(_ result: PAMResult, of entry: StackEntry, _ state: State) -> State {
        var next = state
        next.index += 1
        switch entry.control[result] {
        case .ignore: break
        case .reset: next.opinion = state.before.indices.contains(entry.level) ? state.before[entry.level] : Opinion()
        case .ok: next.opinion.take(good: result)
        case .done:
            next.opinion.take(good: result)
            if next.opinion.impression == .good { next.index = end(of: entry.level, after: state.index) }
        case .bad: next.opinion.take(bad: result)
        case .die:
            next.opinion.take(bad: result)
            next.index = end(of: entry.level, after: state.index)
        case .jump(let count):
            guard let target = target(of: count, from: state.index) else {
                next.opinion = Opinion(impression: .bad, status: .permissionDenied)
                next.index = end(of: entry.level, after: state.index)
                break
            }
            next.index = target
        }
        return next
    }

    /// The step after the end of the stack, or of the substack that contains a step.
    private func end(of level: Int, after index: Int) -> Int {
        var index = index + 1
        while index < entries.count, entries[index].level >= level { index += 1 }
        return index
    }

    /// The target of a jump, which counts a substack as one step; `nil` past the end.
    private func target(of count: Int, from index: Int) -> Int? {
        var last = index
        var left = count
        let level = entries[index].level
        while last + 1 < entries.count, entries[last + 1].level >= level, left > 0 {
            repeat { last += 1 } while last + 1 < entries.count && entries[last + 1].level > level
            left -= 1
        }
        return left > 0 ? nil : last + 1
    }
}
