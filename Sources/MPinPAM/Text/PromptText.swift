internal import MPin

/// All questions the module asks.
enum PromptText {
    /// The question for the PIN. The administrator's words, when there are any, stand in place of ours.
    ///
    /// - Parameter left: how many tries are left, for those who may know and only when some are gone.
    static func pin(account: String, machine: String, left: Int?, own words: String?) -> String {
        if let words { return closed(words) }
        return "PIN for " + shown(account) + " on " + shown(machine) + tries(left) + ": "
    }

    /// The question before the last try.
    static func lastTry(account: String, machine: String) -> String {
        "Last try before the enrolment is blocked. PIN for " + shown(account) + " on " + shown(machine) + ": "
    }

    static var again: String { "The same PIN again: " }

    static func current(account: String, machine: String) -> String {
        "Current PIN for " + shown(account) + " on " + shown(machine) + ": "
    }

    static var new: String { "New PIN: " }

    static var newAgain: String { "New PIN again: " }

    private static func tries(_ left: Int?) -> String {
        switch left {
        case 1: " (1 try left)"
        case let left? where left > 1: " (\(left) tries left)"
        default: ""
        }
    }

    /// Ends with white space, so that the cursor does not touch the words.
    private static func closed(_ words: String) -> String {
        words.utf8.last == UInt8(ascii: " ") ? words : words + " "
    }

    private static func shown(_ name: String) -> String { VisibleText.sanitized(name, limit: 64) }
}
