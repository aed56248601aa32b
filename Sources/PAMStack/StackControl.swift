// SPDX-License-Identifier: Apache-2.0

/// The second word of a line: what the stack does for each result of a module.
struct StackControl: Sendable {
    enum Action: Hashable, Sendable {
        case ignore, ok, done, bad, die, reset
        case jump(Int)
    }

    private var actions: [Action?]
    /// Whether libpam rejects the word and treats every result as a refusal.
    private(set) var isMistaken = false

    subscript(result: PAMResult) -> Action { actions[result.code] ?? .bad }

    /// The length of the longest jump; 0 without one.
    var longestJump: Int {
        actions.map { action in
            guard case .jump(let count) = action else { return 0 }
            return count
        }.max() ?? 0
    }

    /// - Parameter word: a keyword or the text between brackets; libpam treats them alike.
    init(_ word: [UInt8]) {
        actions = [Action?](repeating: nil, count: PAMResult.names.count)
        switch String(decoding: word, as: UTF8.self).lowercased() {
        case "required": set(.ok, otherwise: .bad, ignoring: true)
        case "requisite": set(.ok, otherwise: .die, ignoring: true)
        case "optional": set(.ok, otherwise: .ignore)
        case "sufficient": set(.done, otherwise: .ignore)
        default: read(word)
        }
    }

    private mutating func set(_ success: Action, otherwise: Action, ignoring: Bool = false) {
        actions[PAMResult.success.code] = success
        actions[PAMResult.newTokenRequired.code] = success
        if ignoring { actions[PAMResult.ignore.code] = .ignore }
        setDefault(otherwise)
    }

    private mutating func setDefault(_ action: Action) {
        for code in actions.indices where actions[code] == nil { actions[code] = action }
    }

    /// Reads pairs `result=action` in order, as libpam does: a default also covers later results, unless a pair names
    /// them. One mistake makes every action bad.
    private mutating func read(_ word: [UInt8]) {
        var rest = word[...]
        while true {
            rest = rest.drop(while: StackControl.isSpace)
            if rest.isEmpty { break }
            guard let (result, action) = StackControl.pair(&rest) else {
                actions = actions.map { _ in .bad }
                isMistaken = true
                return
            }
            if let result { actions[result] = action } else { setDefault(action) }
        }
        setDefault(.bad)
    }

    /// - Returns: a result, or `nil` for the default, and its action; `nil` for a mistake.
    private static func pair(_ rest: inout ArraySlice<UInt8>) -> (result: Int?, action: Action)? {
        guard let result = take(PAMResult.names + ["default"], from: &rest) else { return nil }
        rest = rest.drop(while: isSpace)
        guard rest.popFirst() == UInt8(ascii: "=") else { return nil }
        rest = rest.drop(while: isSpace)
        guard let action = action(&rest) else { return nil }
        return (result == PAMResult.names.count ? nil : result, action)
    }

    private static func action(_ rest: inout ArraySlice<UInt8>) -> Action? {
        let all: [(String, Action)] = [
            ("ignore", .ignore), ("ok", .ok), ("done", .done), ("bad", .bad), ("die", .die), ("reset", .reset),
        ]
        if let found = take(all.map(\.0), from: &rest) { return all[found].1 }
        let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        rest = rest.dropFirst(digits.count)
        guard let count = Int32(String(decoding: digits, as: UTF8.self)), count > 0 else { return nil }
        return .jump(Int(count))
    }

    /// Removes the first of the words that is a prefix of the text, and returns its index.
    private static func take(_ words: [String], from rest: inout ArraySlice<UInt8>) -> Int? {
        guard let found = words.firstIndex(where: { rest.starts(with: $0.utf8) }) else { return nil }
        rest = rest.dropFirst(words[found].utf8.count)
        return found
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
}
